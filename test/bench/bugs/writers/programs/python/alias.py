DEFAULTS = {"tax": 19, "rounding": 2}


def settings_of(country):
    settings = DEFAULTS
    if country == "CH":
        settings["tax"] = 8  # marker: writes
    return settings


def tax_of(country):
    return settings_of(country)["tax"]


swiss = tax_of("CH")
german = tax_of("DE")
print(swiss, german)  # marker: wrong
