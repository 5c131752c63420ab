import asyncio


class Session:
    def __init__(self):
        self.user = None


async def login(session, user):
    await asyncio.sleep(0)
    session.user = user  # marker: writes


async def main():
    session = Session()
    await asyncio.gather(login(session, "ada"), login(session, "bob"))
    print(session.user)  # marker: wrong


asyncio.run(main())
