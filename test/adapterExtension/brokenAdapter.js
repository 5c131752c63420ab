'use strict';
/** An adapter in a process of its own that breaks as its first argument says, once the program is to run. */
const [how = 'exit'] = process.argv.slice(2);

function send(message) {
  const body = Buffer.from(JSON.stringify(message));
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
  process.stdout.write(body);
}

let seq = 0;
let rest = Buffer.alloc(0);
process.stdin.on('data', (data) => {
  rest = Buffer.concat([rest, data]);
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, end).toString())?.[1]);
    if (rest.length < end + 4 + length) return;
    const request = JSON.parse(rest.subarray(end + 4, end + 4 + length).toString());
    rest = rest.subarray(end + 4 + length);
    answer(request);
  }
});

function answer(request) {
  const reply = (body = {}) =>
    send({
      seq: (seq += 1),
      type: 'response',
      request_seq: request.seq,
      command: request.command,
      success: true,
      body,
    });
  if (request.command === 'initialize') {
    reply({ supportsConfigurationDoneRequest: true });
    send({ seq: (seq += 1), type: 'event', event: 'initialized' });
  } else if (request.command === 'configurationDone') {
    reply();
    send({
      seq: (seq += 1),
      type: 'event',
      event: 'output',
      body: { category: 'stdout', output: 'last words\n' },
    });
    if (how === 'exit') process.stdout.write('', () => process.exit(1));
    else if (how === 'kill') process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'));
    else if (how === 'garbage')
      process.stdout.write('Content-Length: 20\r\n\r\n{"this": is no json}');
    else if (how === 'garbage-then-stop') {
      process.stdout.write('Content-Length: 20\r\n\r\n{"this": is no json}');
      send({
        seq: (seq += 1),
        type: 'event',
        event: 'stopped',
        body: { reason: 'pause', threadId: 1, allThreadsStopped: true },
      });
    }
  } else if (request.command === 'threads') reply({ threads: [{ id: 1, name: 'main' }] });
  else if (request.command === 'stackTrace')
    reply({ stackFrames: [{ id: 1, name: 'main', line: 1, column: 1 }], totalFrames: 1 });
  else if (request.command === 'scopes') reply({ scopes: [] });
  else reply(request.command === 'setBreakpoints' ? { breakpoints: [] } : {});
}
