import { strict as assert } from 'node:assert';
import { needs } from '../languagesTrace/tracing';
import { call, cleanUp, errorOf, marked, stopOf, switchLive, type Answer } from '../support/client';
import { freePort } from '../support/freePort';
import { WAIT } from './stoppedProgram';

interface Writer extends Answer {
  readonly sure?: string;
  readonly at?: string;
  readonly before?: string;
  readonly after?: string;
}

const SERVERS = [
  { language: 'Node', program: 'live/node/ordered.js', expression: 'order.total' },
  { language: 'Python', program: 'live/python/ordered.py', expression: 'order["total"]' },
] as const;

describe('find_writer in a server', function () {
  this.timeout(600_000);
  before(() => switchLive(true));
  afterEach(cleanUp);
  after(() => switchLive(false));

  for (const { language, program, expression } of SERVERS)
    it(`${language}: sends the request of a collection again`, async function () {
      needs(this, language);
      const port = await freePort();
      const start = { program, args: [String(port)] };
      const trigger = { url: `http://127.0.0.1:${port}/pens`, after_port: port };
      const line = marked(program, 'answers');
      const probes = [{ file_path: program, line, expressions: [expression] }];
      const collected = await call('collect_values', { ...start, trigger, probes });
      const { collection_id } = collected;
      assert.equal(collected['hits'], 1, JSON.stringify(collected));
      const asked = { collection_id, hit: 1, expression, max_seconds: 290 };
      const found: Writer = await call('find_writer', asked);
      const text = JSON.stringify(found);
      const writes = `${program}:${marked(program, 'writes')}`;
      assert.deepEqual([found.sure, found.at], ['seen', writes], text);
      assert.deepEqual([found.before, found.after], ['100', '70'], text);
      const back = await call('go_back', { collection_id, hit: 1, max_seconds: 290 });
      assert.equal(back['moment'], 'same', JSON.stringify(back));
      assert.equal(stopOf(back).line, line);
      // It is stopped in the request, at the port.
      const error = errorOf(await call('find_writer', asked), 'not_supported');
      assert.match(error.message, new RegExp(`port ${port}`));
    });

  it('is refused at a stop that a request has led to, because a second server cannot have the port', async function () {
    needs(this, 'Node');
    const [{ program, expression }] = SERVERS;
    const port = await freePort();
    await call('set_breakpoint', { file_path: program, line_number: marked(program, 'answers') });
    const trigger = { url: `http://127.0.0.1:${port}/`, after_port: port };
    stopOf(await call('start_debugging', { program, args: [String(port)], trigger, ...WAIT }));
    const error = errorOf(await call('find_writer', { expression }), 'not_supported');
    assert.match(error.hint, /collect_values/);
    const { sessions } = await call('get_debug_state', {});
    // Those of the first run.
    const names = (sessions as readonly { readonly name: string }[]).map(({ name }) => name);
    assert.ok(
      names.every((name) => /^ordered\.js( \[\d+\])?$/.test(name)),
      names.join(),
    );
  });
});
