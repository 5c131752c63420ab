class Config:
    def __init__(self, **values):
        self.depth = 3
        self.name = "app"
        vars(self).update(values)  # marker: writes


def main():
    Config(depth=4)
    config = Config(name="test", depth=0)
    print(config.depth)  # marker: wrong


main()
