function read(config, source) {
  ({ depth: config.depth, name: config.name } = source); // marker: writes
}

function main() {
  const config = { depth: 3, name: 'app' };
  const other = { depth: 5, name: 'other' };
  read(config, { name: 'test' });
  read(other, { depth: 1, name: 'x' });
  console.log(config.depth); // marker: wrong
}

main();
