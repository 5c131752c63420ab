import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { call, cleanUp, errorOf, inWorkspace, marked, stopOf, until } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

describe('programs without a configuration', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  const programs: Readonly<Record<string, string>> = {
    Node: 'node/scenario.js',
    Python: 'python/scenario.py',
    'C++': 'native/out/scenario',
    Go: './go',
    Java: 'java/src/Scenario.java',
  };

  for (const language of LANGUAGES) {
    it(`${language.name}: the type is found from the file, its project and the debuggers that are installed`, async function () {
      skipWhereMissing(this, language);
      await call('set_breakpoint', {
        file_path: language.source,
        line_number: marked(language.source, 'print'),
      });
      const answer = await call('start_debugging', {
        program: programs[language.name],
        timeout_seconds: 100,
      });
      assert.equal(stopOf(answer).line, marked(language.source, 'print'));
      const made = answer['configuration'] as { type: string; request: string };
      assert.equal(made.type, language.name === 'Node' ? 'node' : language.adapterType);
    });
  }

  it('source that has to be compiled, and a folder without a marker, are refused with what is needed', async () => {
    assert.match(
      errorOf(await call('start_debugging', { program: 'native/scenario.cpp' }), 'not_supported')
        .hint,
      /executable/,
    );
    assert.match(
      errorOf(await call('start_debugging', { program: 'native' }), 'not_supported').message,
      /package\.json/,
    );
    errorOf(
      await call('start_debugging', { program: '.vscode/launch.json' }),
      'debugger_not_installed',
    );
  });

  it('an attached program goes on when the session is stopped', async () => {
    const child = spawn(
      process.execPath,
      ['--inspect=127.0.0.1:0', '-e', 'console.log("up"); setInterval(() => undefined, 50)'],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    try {
      const port = await new Promise<number>((resolve) => {
        child.stderr.on('data', (data: Buffer) => {
          const match = /127\.0\.0\.1:(\d+)/.exec(data.toString());
          if (match) resolve(Number(match[1]));
        });
      });
      const answer = await call('start_debugging', {
        configuration_name: 'Attach to Node',
        inputs: { port: String(port) },
        timeout_seconds: 3,
      });
      assert.equal(answer.status, 'timeout', JSON.stringify(answer));
      await until(
        (model) =>
          [...model.state.sessions.values()].some(
            (each) => each.lifecycle === 'running' && each.threads.size > 0,
          ),
        'the program is attached',
      );
      const stopped = await call('stop_debugging', {});
      assert.equal(stopped['ended'], true);
      assert.match(String(stopped['message']), /The program is still running/);
      assert.equal(child.exitCode, null, 'it still runs');
      assert.equal(child.signalCode, null);
    } finally {
      child.kill('SIGKILL');
    }
    assert.ok(inWorkspace('node'));
  });
});
