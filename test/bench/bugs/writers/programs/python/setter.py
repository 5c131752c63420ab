class Order:
    def __init__(self, total):
        self.total = total
        self.paid = False

    @property
    def total(self):
        return self._total

    @total.setter
    def total(self, amount):
        self._total = round(amount, -1)  # marker: writes


def main():
    order = Order(100)
    order.total = order.total - 26
    order.paid = True
    print(order._total)  # marker: wrong


main()
