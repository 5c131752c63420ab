import { strict as assert } from 'node:assert';
import http from 'node:http';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { call, cleanUp } from '../support/client';
import { assertNothingLeft, withText, type Traced } from './tracing';

const FILE = 'python/serves.py';

/** Asks the server of the fixture. @returns the body of its answer */
async function ask(port: number, path: string, body?: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const request = http.request({ host: '127.0.0.1', port, path, method }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve(text));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Starts the fixture. @returns the port on which it serves */
async function served(): Promise<number> {
  const answer = await call('start_debugging', { program: FILE, output_pattern: '^ready' });
  const port = /ready (\d+)/.exec(JSON.stringify(answer))?.[1];
  assert.ok(port !== undefined, JSON.stringify(answer));
  return Number(port);
}

async function traceOf(name: string, more: object = {}): Promise<Traced> {
  const input = { function_name: name, file_path: FILE, max_seconds: 20, ...more };
  return (await call('trace_function', input)) as Traced;
}

/** Traces a function while four people ask until the trace is there. @returns the answer, the time, and the requests */
async function traceWhile(name: string, ask: () => Promise<string>, more: object = {}) {
  const begun = performance.now();
  let isTraced = false;
  const bodies: string[] = [];
  const tracing = traceOf(name, more).finally(() => (isTraced = true));
  const asking = async (): Promise<void> => {
    while (!isTraced) bodies.push(await ask());
  };
  const [answer] = await Promise.all([tracing, asking(), asking(), asking(), asking()]);
  return { answer, bodies, seconds: (performance.now() - begun) / 1000 };
}

describe('a traced Python call that a library makes', function () {
  this.timeout(120_000);
  const python = LANGUAGES.find(({ name }) => name === 'Python');
  assert.ok(python);
  before(function () {
    skipWhereMissing(this, python);
  });
  afterEach(cleanUp);

  it('is recorded in a handler, while the server goes on', async () => {
    const port = await served();
    let requests = 0;
    for (let page = 1; page <= 10; page += 1) {
      const { answer, bodies, seconds } = await traceWhile('do_GET', () =>
        ask(port, `/products/${page}`),
      );
      const text = JSON.stringify(answer);
      assert.equal(answer.status, 'running', text);
      assert.equal(answer.returned, 'None', text);
      assert.match(answer.arguments['self'] ?? '', /^<Handler/, text);
      assert.equal(answer.executed_lines, 4, text);
      assert.ok(
        withText(answer, `route = 'products', _ = '/', value = '${page}'`).length === 1,
        text,
      );
      for (const body of bodies) assert.equal(body, JSON.stringify([page * 2, page + 1]));
      assert.ok(seconds < 2, `${seconds} s: ${text}`);
      requests += bodies.length;
    }
    // The requests before this one, and this one.
    assert.equal(await ask(port, '/log/'), String(requests + 1));
    await assertNothingLeft();
    assert.equal((await call('stop_debugging')).status, 'success');
  });
});
