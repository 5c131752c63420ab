let rate = 5;

function load(text) {
  for (const line of text.split(' ')) {
    const [name, value] = line.split('=');
    if (name.startsWith('rate')) {
      rate = Number(value); // marker: writes
    }
  }
}

load('rate=7 owner=ada rates=70');
console.log((200 * rate) / 100); // marker: wrong
