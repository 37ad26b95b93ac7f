"""Why something could not be done. Every exception carries the words that the command would say."""


class WarplineError(Exception):
    """All exceptions of this package."""


class SceneError(WarplineError, ValueError):
    """A scene, or what was said of a world in code, makes no sense."""


class ArgumentError(WarplineError, ValueError):
    """An argument has a wrong type, shape or value."""


class BodyError(WarplineError, KeyError):
    """There is no such body, or it belongs to another world."""

    def __str__(self) -> str:
        # KeyError would show the text in quotes.
        return Exception.__str__(self)


class InputError(WarplineError, ValueError):
    """An input was refused; nothing has changed."""


class RunError(WarplineError, RuntimeError):
    """A run ended early."""


class RecordingError(WarplineError, OSError):
    """A recording, checkpoint, export or picture could not be written or read."""


class ClosedError(WarplineError, RuntimeError):
    """The simulation is closed."""


class BusyError(WarplineError, RuntimeError):
    """The simulation is in use by another thread."""
