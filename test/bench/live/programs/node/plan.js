const { createServer } = require('node:http');

const HALLS = { north: 420, south: 96 };

function pagesOf(total, size) {
  let pages = 0;
  for (let at = 0; at < total; at += size) {
    pages += 1; // marker: cause
  }
  return pages;
}

function plan(url) {
  const { pathname, searchParams } = new URL(url, 'http://seats.example');
  const total = HALLS[pathname.slice(1)];
  if (total === undefined) return undefined;
  return { total, pages: pagesOf(total, Number(searchParams.get('size'))) };
}

const server = createServer((request, response) => {
  const found = plan(request.url);
  if (found === undefined) return response.writeHead(404).end();
  response.end(`${JSON.stringify(found)}\n`);
});
const port = Number(process.argv[2]);
server.listen(port, '127.0.0.1', () => console.log(`listening on ${port}`));
