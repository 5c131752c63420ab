function bestOf(offers) {
  let best;
  for (const [name, price] of offers) {
    if (best === undefined || price < best.price) {
      best = { name, price };
    } else if (price === best.price) {
      best = { name, price: 0 }; // marker: writes
    }
  }
  console.log(best); // marker: wrong
}

bestOf([
  ['a', 9],
  ['b', 4],
  ['c', 4],
  ['d', 7],
]);
