function count(words) {
  const counts = { tea: 0, nuts: 0 };
  for (const word of words) {
    const key = word.slice(0, 3);
    counts[key] = (counts[key] ?? 0) + 1; // marker: writes
  }
  console.log(counts); // marker: wrong
}

count(['tea', 'team', 'nuts']);
