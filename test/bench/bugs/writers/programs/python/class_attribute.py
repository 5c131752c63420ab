class Basket:
    items = []

    def __init__(self, owner):
        self.owner = owner

    def put(self, item):
        self.items.append(item)  # marker: writes


def main():
    ada, bob = Basket("Ada"), Basket("Bob")
    ada.put("tea")
    ada.put("nuts")
    print(bob.owner, bob.items)  # marker: wrong


main()
