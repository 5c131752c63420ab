"""Sets the probes when LLDB imports the recorder, before the program starts. It follows `probes.py`.

The file of the rows exists when all probes are set.
"""
def __lldb_init_module(debugger, internals):
    target = debugger.GetSelectedTarget()
    if not target.IsValid(): return
    for breakpoint in watch_probes(target): pass
    open_file(target)
