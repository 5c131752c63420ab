RATES = {"EUR": 1, "CHF": 2}
cache = {}


def price(article, currency):
    if article not in cache:
        cache[article] = 10 * RATES[currency]  # marker: writes
    return cache[article]


def main():
    first = price("tea", "CHF")
    second = price("nuts", "EUR")
    third = price("tea", "EUR")
    print(first, second, third)  # marker: wrong


main()
