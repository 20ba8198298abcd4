"""The errors of the package: each says what, where, the value, the bound and the remedy."""


class ZeroGError(Exception):
    """Base of every error that a user can cause or must be told about."""


class ConfigurationError(ZeroGError):
    """A configuration file was refused; the message lists every fault found."""


class ExperimentError(ZeroGError):
    """A plan of experiments, or the folder of its results, was refused; the message lists every fault."""


class DesignError(ZeroGError):
    """A task of design, or the folder of its results, was refused; the message lists every fault."""


class CampaignError(ZeroGError):
    """Workers for a campaign of many runs cannot be had, or were lost."""


class BadMessage(ZeroGError):
    """Bytes that are no message of this version (bus), or no datagram of this protocol (robot)."""


class RecordingError(ZeroGError):
    """A recording, of force and torque or of a run, cannot be read or written."""


class TraceError(ZeroGError):
    """The trace of a run cannot be read or written, or its arrays do not fit together."""


class RobotModelError(ZeroGError):
    """A robot model is not a 7R spherical-rotational-spherical arm, or lacks limits or masses."""


class SceneError(ZeroGError):
    """A scene was refused by the physics engine or breaks a rule of ours."""


class InterfaceError(ZeroGError):
    """A declaration of pins and holes was refused; the message lists every fault found."""


class SimulationError(ZeroGError):
    """The simulated world can no longer be believed."""


class LinkError(ZeroGError):
    """A socket cannot be opened, or the other side does not answer."""


class KeyFileError(ZeroGError):
    """A key of the link between two hosts is missing, unreadable, malformed or open to others."""


class OperatorError(ZeroGError):
    """An operator's command that the present state does not allow."""


class ReportError(ZeroGError):
    """A report cannot be made of what was given, or cannot be written."""


class OutputError(ZeroGError):
    """A file that a command is to write cannot be written."""


class AssemblyError(ZeroGError):
    """A component or an assembly that breaks a rule, or parts that do not fit."""


class DrivingError(ZeroGError):
    """A drive of a simulated arm that cannot begin or go on as asked."""


class SourceLost(DrivingError):
    """A source of commands is not there, or has gone: whatever moves comes to rest."""


class DriveError(ZeroGError):
    """A parameter of a drive that no drive has, or a name that no drive knows."""


class WorkbenchError(ZeroGError):
    """Something that the workbench cannot do or keep."""


class ComplementarityError(ZeroGError):
    """A problem of contacts whose numbers make no sense, or the file of one that cannot be read."""
