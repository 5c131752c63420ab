import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { processesOf } from '../../../src/editor/processTable';
import { withDescendants } from '../../../src/debugger/processes/processes';
import { cleanUp } from '../../host/support/client';
import { AskedPerson } from './support';

/** Matches the parts of the editor that this window has for certain. */
const PARTS = {
  'the extension host': /--type=extensionHost|vscode-utility-kind=extensionHost/,
  'the file watcher': /--type=fileWatcher|vscode-utility-kind=fileWatcher/,
};

describe('an agent that wants to attach to VS Code itself', () => {
  let person: AskedPerson;
  before(async () => (person = await AskedPerson.meet()));
  afterEach(cleanUp);
  after(() => person.leave());

  it('is refused for each of its processes, without a card', async () => {
    const table = await processesOf().list();
    const own = withDescendants(table, [process.ppid]);
    const parts = table.filter(
      ({ id, command }) => own.has(id) && /bootstrap-fork|server-main|--vscode-/.test(command),
    );
    for (const [name, pattern] of Object.entries(PARTS))
      assert.ok(
        parts.some(({ command }) => pattern.test(command)),
        name,
      );
    for (const { id, command } of parts) {
      const input = { attach: { type: 'node', process_id: id }, timeout_seconds: 1 };
      const { result, question } = await person.call('start_debugging', input, 'declined');
      assert.equal(result['code'], 'not_supported', `${command}: ${JSON.stringify(result)}`);
      assert.equal(question, undefined, command);
    }
  });

  it('gets a card with the command line and the user of any other process', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)', 'the shop'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    try {
      await once(child, 'spawn');
      const input = { attach: { type: 'node', process_id: child.pid } };
      const { result, question = '' } = await person.call('start_debugging', input, 'declined');
      assert.equal(result['code'], 'declined_by_person', JSON.stringify(result));
      assert.match(
        question.replaceAll('\u200b', ''),
        /The process runs `.*the shop` as the user `/,
      );
    } finally {
      child.kill('SIGKILL');
    }
  });
});
