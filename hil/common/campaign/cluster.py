"""Jobs on a Dask cluster.

Dask's protocol is pickle without authentication: whoever reaches a scheduler runs what he likes on it. So
only loopback and TLS with certificates are spoken to.
"""

import ipaddress
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from hil.common.errors import CampaignError, ZeroGError
from hil.common.source_stamp import source_stamp

if TYPE_CHECKING:
    from distributed import Client

CONNECT_S = 10.0
Job = TypeVar("Job")
Answer = TypeVar("Answer")
AGAIN = 5  # times that a job is given to another worker when its own dies


class Cluster:
    """A cluster that runs jobs."""

    def __init__(self, address: str, remedy: str) -> None:
        """Connect to the scheduler at `address`; `remedy` says what to do if a job cannot be run.

        Raises:
            CampaignError: the address is refused, or there is no cluster of this very program.
        """
        refuse_open(address)
        self._address, self._remedy = address, remedy
        self._client = _connected(address)
        try:
            self._same_version()
        except CampaignError:
            self._client.close()
            raise

    def run(self, function: Callable[[Job], Answer], jobs: Sequence[Job]) -> Iterator[Answer]:
        """Run jobs and yield their answers as they are done; then part from the cluster.

        A job may run twice, because its worker seemed dead.

        Raises:
            CampaignError: a job cannot be run.
            ZeroGError: what the function raises.
        """
        from distributed import as_completed

        with self._client as client:
            futures = [client.submit(function, job, pure=False, retries=AGAIN) for job in jobs]
            try:
                for future in as_completed(futures, loop=client.loop):
                    yield self._result(future)
            finally:
                client.cancel(futures)

    def _result(self, future: Any) -> Any:
        try:
            return future.result()
        except ZeroGError:
            raise
        except Exception as error:
            raise CampaignError(
                f"--scheduler {self._address}: a job cannot be run ({error}): {self._remedy}"
            ) from error

    def _same_version(self) -> None:
        """Refuse workers whose program would compute something else."""
        found: dict[str, str] = self._client.run(source_stamp)
        if not found:
            raise CampaignError(f"--scheduler {self._address}: the cluster has no workers: start some")
        mine = source_stamp()
        for worker, theirs in found.items():
            if theirs != mine:
                raise CampaignError(
                    f"--scheduler {self._address}: {worker} runs other sources ({theirs}, here {mine}): "
                    "install the same version there"
                )


def refuse_open(address: str) -> None:
    """Refuse an address that others could reach too.

    Raises:
        CampaignError: it is neither loopback nor TLS.
    """
    try:
        parts = urlsplit(address)
        known = parts.scheme in ("tcp", "tls") and parts.hostname and parts.port
    except ValueError:
        known = None
    if not known:
        raise CampaignError(
            f"--scheduler {address!r} must be tcp://127.0.0.1:PORT on this machine, or tls://HOST:PORT"
        )
    if parts.scheme == "tcp" and not _is_loopback(parts.hostname or ""):
        raise CampaignError(
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
        raise CampaignError(
            "--scheduler needs the extra `campaign`: pip install 'zerog-emulator[campaign]'"
        ) from None
    security = Security()
    if address.startswith("tls") and security.get_connection_args("client").get("ssl_context") is None:
        raise CampaignError(
            f"--scheduler {address} needs certificates: say where they are in Dask's configuration, "
            "distributed.comm.tls.ca-file, .client.cert and .client.key"
        )
    try:
        return Client(address, timeout=CONNECT_S, set_as_default=False, security=security)
    except (OSError, ValueError, RuntimeError) as error:
        raise CampaignError(f"--scheduler {address}: no connection: {error}") from error
