function newest(events) {
  return events.reverse()[0]; // marker: writes
}

function main() {
  const events = ['open', 'edit', 'save'];
  const last = newest(events);
  console.log(last, events[0]); // marker: wrong
}

main();
