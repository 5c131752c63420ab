import asyncio
import random
import sys

stock = {"pump": 1310, "valve": 260}


async def turns(count):
    for _ in range(count):
        await asyncio.sleep(0)


async def pay(amount):
    await turns(1)
    return amount * 95


async def buy(article, amount, arrives):
    await turns(arrives)
    before = stock[article]
    await pay(amount)
    stock[article] = before - amount  # marker: cause


async def main(seed):
    chance = random.Random(seed)
    later = chance.randrange(3, 43)
    await asyncio.gather(buy("pump", 37, 20), buy("pump", 12, later))
    print(f"seed {seed}: {stock['pump']} left, expected {1310 - 37 - 12}")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
