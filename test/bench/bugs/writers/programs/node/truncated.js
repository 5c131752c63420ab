function recent(events, most) {
  if (events.length > most) {
    events.length = most - 1; // marker: writes
  }
  return events;
}

function main() {
  const events = ['open', 'edit', 'save', 'close'];
  recent(events, 2);
  console.log(events); // marker: wrong
}

main();
