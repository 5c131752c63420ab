import asyncio


class Catalogue:
    def __init__(self):
        self.ready = asyncio.Event()
        self.articles = {}
        self.steps = []

    async def warm(self, articles):
        for number, article in enumerate(articles):
            await asyncio.sleep(0)
            self.articles[article] = number
        self.ready.set()

    def begin(self, articles):
        self.steps.append(self.warm(articles))  # marker: cause

    async def find(self, article):
        await self.ready.wait()
        return self.articles.get(article)


async def main():
    catalogue = Catalogue()
    catalogue.begin(["pump", "valve", "hose"])
    print("serving", flush=True)
    found = await asyncio.gather(*(catalogue.find(each) for each in ("hose", "pump", "seal")))
    print(found)


if __name__ == "__main__":
    asyncio.run(main())
