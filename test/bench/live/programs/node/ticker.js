const { EventEmitter } = require('node:events');
const { createServer } = require('node:http');

class Visit {
  constructor(path) {
    this.path = path;
    this.since = Date.now();
    this.last = 0;
  }
}

const feed = new EventEmitter();
feed.setMaxListeners(0);
let price = 4200;
setInterval(() => {
  price += price % 2 === 0 ? 3 : -1;
  feed.emit('tick', price);
}, 1000);

function answer(request, response) {
  const visit = new Visit(request.url);
  const update = (latest) => {
    visit.last = latest;
  };
  feed.on('tick', update); // marker: cause
  update(price);
  response.on('finish', () => feed.off('ticks', update));
  response.end(`${visit.last}\n`);
}

const server = createServer(answer);
const port = Number(process.argv[2]);
server.listen(port, '127.0.0.1', () => console.log(`listening on ${port}`));
