def empty(rows, columns):
    return [[0] * columns] * rows


def mark(grid, row, column):
    grid[row][column] = 1  # marker: writes


def main():
    grid = empty(3, 3)
    other = empty(2, 3)
    mark(grid, 0, 1)
    mark(other, 1, 1)
    free = grid[2][1]
    print(free)  # marker: wrong


main()
