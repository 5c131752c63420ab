function soldOut(stock, names) {
  for (const name of names) {
    if (stock[name] <= 1) {
      delete stock[name]; // marker: writes
    }
  }
}

function main() {
  const stock = { tea: 4, nuts: 1, rice: 7 };
  soldOut(stock, ['tea', 'nuts']);
  const count = Object.keys(stock).length;
  console.log(count); // marker: wrong
}

main();
