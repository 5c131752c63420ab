BASE = ["read"]


def rights_of(role):
    rights = BASE
    if role == "admin":
        rights += ["write", "delete"]  # marker: writes
    return rights


def main():
    admin = rights_of("admin")
    guest = rights_of("guest")
    print(admin, guest)  # marker: wrong


main()
