function bounds(values) {
  let low = values[0];
  let high = values[0];
  for (const value of values) {
    if (value < low) low = value;
    if (value < high) {
      [low, high] = [high, value]; // marker: writes
    }
  }
  console.log(low, high); // marker: wrong
}

bounds([4, 9, 2]);
