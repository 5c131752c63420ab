def tagged(name, tags=[]):
    tags.append(name)  # marker: writes
    return tags


def pages(names):
    return [tagged(name) for name in names]


home, about = pages(["home", "about"])
print(home, about)  # marker: wrong
