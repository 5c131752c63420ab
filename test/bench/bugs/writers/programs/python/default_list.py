def tagged(name, tags=[]):
    tags.append(name)  # marker: writes
    return tags


home = tagged("home")
about = tagged("about")
print(home, about)  # marker: wrong
