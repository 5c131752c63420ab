import { strict as assert } from 'node:assert';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { call, cleanUp, marked, stopOf } from '../support/client';
import { ask } from './asking';
import { assertNothingLeft } from './tracing';

const PROGRAMS = [
  { name: 'Python', program: 'live/python/served.py' },
  { name: 'Node', program: 'live/node/served.js' },
] as const;

describe('a pause at which an idle program does not stop', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  for (const { name, program } of PROGRAMS)
    it(`is taken back, and the session goes on: ${name}`, async function () {
      const language = LANGUAGES.find((each) => each.name === name);
      if (language !== undefined) skipWhereMissing(this, language);
      const started = await call('start_debugging', { program, output_pattern: '^ready' });
      const port = Number(/ready (\d+)/.exec(JSON.stringify(started['matched']))?.[1]);
      const collected = await call('collect_values', {
        probes: [{ file_path: program, function_name: 'never', expressions: ['1'] }],
        ...{ max_seconds: 1, at_end: 'stay_stopped' },
      });
      const text = JSON.stringify(collected);
      assert.deepEqual(
        [collected['ended_by'], collected['program']],
        ['max_seconds', 'running'],
        text,
      );
      assert.equal((await call('pause_debugging', { timeout_seconds: 1 })).status, 'timeout');
      assert.equal(await ask(port, '/one'), '/one', 'no late stop holds the request');
      await assertNothingLeft();
      const line = marked(program, 'answer');
      await call('set_breakpoint', { file_path: program, line_number: line });
      const asked = ask(port, '/two');
      const stopped = await call('wait_for_stop', { timeout_seconds: 30 });
      const stop = stopOf(stopped);
      assert.deepEqual([stop.reason, stop.line], ['breakpoint', line], JSON.stringify(stopped));
      const rest = await call('continue_debugging', { timeout_seconds: 1 });
      assert.equal(rest.status, 'timeout', JSON.stringify(rest));
      assert.equal(await asked, '/two');
      assert.equal((await call('stop_debugging'))['ended'], true);
    });
});
