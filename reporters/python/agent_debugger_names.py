"""Finds the tests that a name means among the tests that the runner has collected."""


class Test(object):
    """A test that the runner has collected."""

    def __init__(self, item, names, bases=()):
        self.item = item
        # Its groups and its own name, as the runner prints them.
        self.names = list(names)
        # The names of its class and of the classes from which that inherits.
        self.bases = set(bases)

    @property
    def bare(self):
        return self.names[:-1] + [without_parameters(self.names[-1])]


def matching(tests, wanted):
    """
    Returns the tests that a name means. `wanted` has the parts of the name. The first rule that finds tests decides: the
    whole name, without parameters, a group with all its tests, the end of a name, the class from which tests inherit.
    """
    wanted = list(wanted)
    rules = (
        lambda test: wanted in (test.names, escaped(test.names)),
        # The name of a doctest has dots itself.
        lambda test: '.'.join(test.names) == '.'.join(wanted),
        lambda test: test.bare == wanted,
        lambda test: test.names[: len(wanted)] == wanted,
        lambda test: _ends(test.names, wanted) or _ends(escaped(test.names), wanted),
        lambda test: _ends(test.bare, wanted),
        lambda test: _has(test.names[:-1], wanted),
        lambda test: wanted[-1] in test.bases or (
            len(wanted) > 1 and wanted[-2] in test.bases and wanted[-1] in (test.bare[-1], test.names[-1])
        ),
        # A dotted name begins with the module.
        lambda test: _ends(wanted, test.names) or _ends(wanted, test.bare),
    )
    for rule in rules:
        found = [test for test in tests if rule(test)]
        if found:
            return found
    return []


def without_parameters(name):
    return name.partition('[')[0] if name.endswith(']') else name


def escaped(names):
    """Returns names as the person may write them: pytest escapes what is not ASCII."""
    try:
        return [name.encode('ascii').decode('unicode_escape') for name in names]
    except (UnicodeError, ValueError):
        return names


def _ends(names, end):
    return len(end) <= len(names) and names[len(names) - len(end) :] == end


def _has(names, part):
    return any(names[at : at + len(part)] == part for at in range(len(names)))
