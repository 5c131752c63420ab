function median(values) {
  values.sort((one, other) => one - other); // marker: writes
  return values[Math.floor(values.length / 2)];
}

function report(readings) {
  const middle = median(readings);
  const [first] = readings;
  console.log(first, middle); // marker: wrong
}

report([21, 19, 35, 20, 18]);
