function pack(queue, size) {
  return queue.splice(0, size + 1); // marker: writes
}

function main() {
  const queue = ['a', 'b', 'c', 'd', 'e'];
  pack(queue, 2);
  const left = queue.length;
  console.log(left); // marker: wrong
}

main();
