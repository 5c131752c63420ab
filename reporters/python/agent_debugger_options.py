"""Options of a project that can't be kept when one test is run and reported: workers, coverage, and pdb."""

# The plug-in of an option, and whether it has a value: `1` in the next argument, `?` there or nowhere.
_OPTIONS = {
    '-n': ('xdist', '1'),
    '--numprocesses': ('xdist', '1'),
    '--dist': ('xdist', '1'),
    '--tx': ('xdist', '1'),
    '-d': ('xdist', ''),
    '-f': ('xdist.looponfail', ''),
    '--looponfail': ('xdist.looponfail', ''),
    '--cov': ('pytest_cov', '?'),
    '--cov-report': ('pytest_cov', '1'),
    '--cov-config': ('pytest_cov', '1'),
    '--cov-fail-under': ('pytest_cov', '1'),
    '--cov-context': ('pytest_cov', '1'),
    '--cov-precision': ('pytest_cov', '1'),
    '--cov-branch': ('pytest_cov', ''),
    '--cov-append': ('pytest_cov', ''),
    '--cov-reset': ('pytest_cov', ''),
    '--no-cov-on-fail': ('pytest_cov', ''),
    '--pdb': ('debugging', ''),
    '--trace': ('debugging', ''),
}


def without_unsupported(arguments, has_plugin):
    """Returns the arguments of pytest that are kept, and the options that are left out."""
    kept = []
    dropped = []
    left = list(arguments)
    while left:
        argument = left.pop(0)
        name, equals, _ = argument.partition('=')
        if name not in _OPTIONS and argument[:2] == '-n' and argument[2:].lstrip('=') != '':
            name, equals = '-n', '='
        plugin, value = _OPTIONS.get(name, ('', ''))
        if not plugin or not has_plugin(plugin):
            kept.append(argument)
            continue
        follows = value and not equals and len(left) > 1 and (value == '1' or not left[0].startswith('-'))
        dropped.append(' '.join([argument, left.pop(0)]) if follows else argument)
    return kept, dropped
