function empty(rows, columns) {
  return Array(rows).fill(Array(columns).fill(0));
}

function mark(grid, row, column) {
  grid[row][column] = 1; // marker: writes
}

function main() {
  const grid = empty(3, 3);
  const other = empty(2, 3);
  mark(grid, 0, 1);
  mark(other, 1, 1);
  const free = grid[2][1];
  console.log(free); // marker: wrong
}

main();
