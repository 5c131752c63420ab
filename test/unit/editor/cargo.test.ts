import { strict as assert } from 'node:assert';
import { Interrupted } from '../../../src/debugger/requests';
import { InstalledCargo } from '../../../src/editor/cargo';

const never = new AbortController().signal;

describe('cargo', () => {
  it('is run in a folder, and what it prints and ends with is told', async () => {
    const script =
      "console.log(process.cwd(), process.env.CARGO_TERM_COLOR); console.error('no'); process.exit(101)";
    const end = await new InstalledCargo(process.execPath).run(['-e', script], '/', never);
    assert.deepEqual(end, { exitCode: 101, stdout: '/ never\n', stderr: 'no\n' });
  });

  it('may not be installed', async () => {
    assert.equal(await new InstalledCargo('/nowhere/cargo').run([], '/', never), undefined);
  });

  it('is ended with the call', async () => {
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
