def cheapest(prices):
    low = prices[0]
    for price in prices[1:]:
        low = min(low, price)
    return low - 1


def main():
    low = 0
    prices = [5, 3, 8]
    low = cheapest(prices)  # marker: writes
    prices.append(low)
    print(low)  # marker: wrong


main()
