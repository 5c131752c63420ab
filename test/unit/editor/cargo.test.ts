import { strict as assert } from 'node:assert';
import { Interrupted } from '../../../src/debugger/requests';
import { InstalledCargo } from '../../../src/editor/cargo';

const never = new AbortController().signal;

describe('cargo', () => {
  it('runs in a folder, and its output and exit code are returned', async () => {
    const script =
      "console.log(process.cwd(), process.env.CARGO_TERM_COLOR); console.error('no'); process.exit(101)";
    const end = await new InstalledCargo(process.execPath).run(['-e', script], '/', never);
    assert.deepEqual(end, { exitCode: 101, stdout: '/ never\n', stderr: 'no\n' });
  });

  it('returns undefined if it is not installed', async () => {
    assert.equal(await new InstalledCargo('/nowhere/cargo').run([], '/', never), undefined);
  });

  it('ends with the call', async () => {
    const controller = new AbortController();
    const running = new InstalledCargo(process.execPath).run(
      ['-e', 'setInterval(() => undefined, 1000)'],
      '/',
      controller.signal,
    );
    controller.abort();
    await assert.rejects(running, Interrupted);
  });
});
