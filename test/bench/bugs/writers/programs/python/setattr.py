class Account:
    def __init__(self, owner):
        self.owner = owner
        self.limit = 1000
        self.open = True


def change(account, changes):
    for name, value in changes.items():
        setattr(account, name, value)  # marker: writes


def main():
    one, other = Account("Ada"), Account("Bob")
    change(one, {"limit": 500})
    change(other, {"open": False, "limit": 0})
    change(one, {"open": False})
    print(one.limit, other.limit)  # marker: wrong


main()
