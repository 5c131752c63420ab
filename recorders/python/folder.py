"""The folder to which a recorder writes. Python 3.6 and newer."""
def is_over():
    """Whether the recording has ended: its folder has been removed, and not because it is on another machine."""
    return not os.path.isdir(C['folder']) and os.access(os.path.dirname(C['folder']), os.R_OK | os.X_OK)
