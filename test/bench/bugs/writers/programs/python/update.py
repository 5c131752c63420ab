def options_for(kind, overrides):
    options = {"retries": 3, "wait": 1}
    if kind == "batch":
        options["wait"] = 60
    options.update(overrides)  # marker: writes
    options["kind"] = kind
    return options


def main():
    options_for("live", {"wait": 2})
    options = options_for("batch", {"retries": 0})
    print(options["retries"])  # marker: wrong


main()
