const NONE = [];

function tagged(name, tags = NONE) {
  tags.push(name); // marker: writes
  return tags;
}

const home = tagged('home');
const about = tagged('about');
console.log(home, about); // marker: wrong
