function moved(person, city) {
  const copy = { ...person };
  copy.name = person.name.toUpperCase();
  copy.address.city = city; // marker: writes
  return copy;
}

function main() {
  const ada = { name: 'ada', address: { city: 'Bern', street: 'Main' } };
  const later = moved(ada, 'Genf');
  console.log(ada.address.city, later.name); // marker: wrong
}

main();
