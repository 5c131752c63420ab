"""The innermost place of a traceback in the project, and the local variables that its lines use."""

import inspect
import os
import re

_LIBRARY = re.compile(r"[\\/](?:site-packages|dist-packages|\.venv|node_modules)[\\/]")


def is_own(file):
    """Whether a file belongs to the project in whose folder the run began."""
    file = os.path.realpath(file)
    return file.startswith(os.path.realpath(os.getcwd()) + os.sep) and not _LIBRARY.search(file)


def _statement(frame, line):
    """The names in the source of the failing line."""
    import linecache

    return set(re.findall(r"[A-Za-z_]\w*", re.sub(r"\"[^\"]*\"|'[^']*'|#.*", "", linecache.getline(frame.f_code.co_filename, line))))


def _is_value(value):
    return not (inspect.ismodule(value) or inspect.isroutine(value) or inspect.isclass(value))


def place_of(traceback):
    place = {}
    while traceback is not None:
        frame, line = traceback.tb_frame, traceback.tb_lineno
        if is_own(frame.f_code.co_filename) and not frame.f_locals.get("__tracebackhide__"):
            used = _statement(frame, line)
            names = [] if frame.f_code.co_name == "<module>" else [
                name for name, value in frame.f_locals.items()
                if name in used and not name.startswith(("@", "__")) and _is_value(value)
            ]
            place = {"path": os.path.realpath(frame.f_code.co_filename), "line": line, "locals": sorted(names)}
        traceback = traceback.tb_next
    return place
