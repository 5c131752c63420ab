import { strict as assert } from 'node:assert';
import { call, cleanUp, marked, stopOf, variable } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';
import { stackOf, WAIT } from './stoppedProgram';

describe('the values of the callers', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  for (const language of LANGUAGES) {
    it(`${language.name}: are returned with the stack`, async function () {
      skipWhereMissing(this, language);
      await call('set_breakpoint', {
        file_path: language.source,
        line_number: marked(language.source, 'inside'),
      });
      stopOf(
        await call('start_debugging', { configuration_name: language.configuration, ...WAIT }),
      );
      const [square, run] = await stackOf({ variables: true });
      assert.equal(square?.variables?.['n'], '1', JSON.stringify(square));
      assert.match(run?.variables?.['label'] ?? '', language.shows.label);
      assert.equal(run?.variables?.['sum'], '0');
      assert.equal((await stackOf())[0]?.variables, undefined);
    });
  }

  it('Python: include the return value of a function after a step out of it', async function () {
    const language = LANGUAGES[1] ?? assert.fail();
    skipWhereMissing(this, language);
    await call('set_breakpoint', {
      file_path: language.source,
      line_number: marked(language.source, 'leave'),
    });
    const stop = stopOf(await call('start_debugging', { program: language.source, ...WAIT }));
    const out = stopOf(
      await call('step_execution', {
        thread_id: stop.thread_id,
        session_id: stop.session_id,
        step_type: 'out',
        ...WAIT,
      }),
    );
    assert.equal(variable(out, '(return) square').value, '1');
  });
});
