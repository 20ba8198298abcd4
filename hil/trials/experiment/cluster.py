"""Trials on a Dask cluster: workers leave the trials' folders on a file system that all hosts share.

Dask's protocol is pickle without authentication: whoever reaches a scheduler runs what he likes on it. So
only loopback and TLS with certificates are spoken to.
"""

import ipaddress
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from hil.common.errors import ExperimentError
from hil.common.source_stamp import source_stamp
from hil.trials.experiment.fast_trial import FastJob, run_fast

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 10.0
AGAIN = 5  # times that a trial is given to another worker when its own dies


class Cluster:
    """A cluster that runs trials."""

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at `address`.

        Raises:
            ExperimentError: the address is refused, or there is no cluster of this very program.
        """
        refuse_open(address)
        self._address = address
        self._client = _connected(address)
        try:
            self._same_version()
        except ExperimentError:
            self._client.close()
            raise

    def run(self, jobs: list[FastJob]) -> Iterator[str]:
        """Run trials and yield the names of their folders as they are done; then part from the cluster.

        A trial that runs twice, because its worker seemed dead, leaves the same folder once.

        Raises:
            ExperimentError: a trial cannot be run.
        """
        from distributed import as_completed

        with self._client as client:
            futures = [client.submit(run_fast, job, pure=False, retries=AGAIN) for job in jobs]
            try:
                for future in as_completed(futures, loop=client.loop):
                    yield self._result(future)
            finally:
                client.cancel(futures)

    def _result(self, future: Any) -> str:
        try:
            return str(future.result())
        except ExperimentError:
            raise
        except Exception as error:
            raise ExperimentError(
                f"--scheduler {self._address}: a trial cannot be run ({error}): go on with --resume"
            ) from error

    def _same_version(self) -> None:
        """Refuse workers whose program would compute something else."""
        found: dict[str, str] = self._client.run(source_stamp)
        if not found:
            raise ExperimentError(f"--scheduler {self._address}: the cluster has no workers: start some")
        mine = source_stamp()
        for worker, theirs in found.items():
            if theirs != mine:
                raise ExperimentError(
                    f"--scheduler {self._address}: {worker} runs other sources ({theirs}, here {mine}): "
                    "install the same version there"
                )


def refuse_open(address: str) -> None:
    """Refuse an address that others could reach too.

    Raises:
        ExperimentError: it is neither loopback nor TLS.
    """
    try:
        parts = urlsplit(address)
        known = parts.scheme in ("tcp", "tls") and parts.hostname and parts.port
    except ValueError:
        known = None
    if not known:
        raise ExperimentError(
            f"--scheduler {address!r} must be tcp://127.0.0.1:PORT on this machine, or tls://HOST:PORT"
        )
    if parts.scheme == "tcp" and not _is_loopback(parts.hostname or ""):
        raise ExperimentError(
            f"--scheduler {address} is refused: Dask's protocol is pickle without authentication, so whoever "
            "reaches the scheduler runs what he likes; use tls:// with certificates, or loopback"
        )


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _connected(address: str) -> "Client":
    try:
        from distributed import Client
        from distributed.security import Security
    except ImportError:
        raise ExperimentError(
            "--scheduler needs the extra `campaign`: pip install 'zerog-emulator[campaign]'"
        ) from None
    security = Security()
    if address.startswith("tls") and security.get_connection_args("client").get("ssl_context") is None:
        raise ExperimentError(
            f"--scheduler {address} needs certificates: say where they are in Dask's configuration, "
            "distributed.comm.tls.ca-file, .client.cert and .client.key"
        )
    try:
        return Client(address, timeout=CONNECT_S, set_as_default=False, security=security)
    except (OSError, ValueError, RuntimeError) as error:
        raise ExperimentError(f"--scheduler {address}: no connection: {error}") from error
