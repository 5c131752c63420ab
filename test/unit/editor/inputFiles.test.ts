import { strict as assert } from 'node:assert';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { debugpy } from '../../../src/debugger/adapters/debugpy';
import { jsDebugNode } from '../../../src/debugger/adapters/jsDebug';
import { listOf, textOf } from '../../../src/debugger/protocol';
import { TemporaryInputFiles } from '../../../src/editor/inputFiles';
import { ScratchFolders } from '../../../src/editor/scratchFolders';
import type { InputFile } from '../../../src/tools/services';
import { skip } from '../../support/skip';

const run = promisify(execFile);
const ECHO = "process.stdin.on('data', (text) => process.stdout.write(text))";

describe('the standard input of a program', () => {
  let scratch: ScratchFolders;
  let files: TemporaryInputFiles;
  beforeEach(function () {
    if (process.platform === 'win32') skip(this, 'Windows has no named pipes in the file system');
    scratch = new ScratchFolders();
    files = new TemporaryInputFiles(scratch);
  });
  afterEach(() => scratch.dispose());

  /** The command that js-debug runs for a program that prints its input. */
  const nodeCommand = (file: InputFile, ...args: string[]): readonly string[] => {
    const { runtimeExecutable, runtimeArgs } =
      jsDebugNode.readingFrom?.({ runtimeArgs: ['-e', ECHO, '--', ...args] }, file.path) ?? {};
    return [textOf(runtimeExecutable) ?? '', ...listOf(runtimeArgs).map(String)];
  };
  const outputOf = async ([program = '', ...args]: readonly string[]): Promise<string> =>
    (await run(program, args)).stdout;

  it('is a private file with the text, and is removed', async () => {
    const file = await files.make({ text: 'one\n', staysOpen: false });
    assert.equal(statSync(file.path).mode & 0o777, 0o600);
    assert.equal(file.write('more'), undefined);
    assert.equal(await outputOf(nodeCommand(file)), 'one\n');
    await file.remove();
    assert.ok(!existsSync(file.path));
  });

  it('is a file of the workspace, whatever its name', async () => {
    await scratch.make('theirs', {});
    const theirs = path.join(scratch.pathOf('theirs'), `$(id) "a' b`);
    writeFileSync(theirs, 'theirs');
    const file = await files.make({ text: '', file: theirs, staysOpen: false });
    assert.match(file.path, /^[\w/.-]+$/);
    assert.equal(await outputOf(nodeCommand(file)), 'theirs');
    await file.remove();
    assert.ok(existsSync(theirs));
  });

  it('takes more while a program reads it, to its end, and begins again', async () => {
    const file = await files.make({ text: 'one\n', staysOpen: true });
    assert.equal(statSync(file.path).mode & 0o777, 0o600);
    assert.equal(file.write('x'), undefined, 'no program reads it yet');
    for (const text of ['two\n', 'three\n']) {
      const [program = '', ...args] = nodeCommand(file);
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      let printed = '';
      const ended = new Promise((resolve) => child.once('close', resolve));
      for await (const data of child.stdout) {
        printed += String(data);
        if (printed === 'one\n') assert.equal(file.write(text), text.length);
        else file.close();
      }
      assert.equal(await ended, 0);
      assert.equal(printed, `one\n${text}`);
      assert.equal(file.state, 'closed');
      assert.equal(file.write('x'), undefined);
      await file.renew();
      assert.equal(file.state, 'open');
    }
    await file.remove();
    assert.ok(!existsSync(file.path));
  });

  it('holds a bounded text that is not read', async () => {
    const file = await files.make({ text: '', staysOpen: true });
    const idle = spawn('/bin/sh', ['-c', 'exec < "$0"; echo up; exec sleep 60', file.path]);
    await new Promise((resolve) => idle.stdout.once('data', resolve));
    const bytes = 1024 * 1024;
    const written = file.write('x'.repeat(bytes)) ?? -1;
    assert.ok(written > 0 && written < bytes, String(written));
    assert.ok((file.write('x'.repeat(bytes)) ?? bytes) < bytes);
    const ended = new Promise((resolve) => idle.once('exit', resolve));
    idle.kill();
    await ended;
    assert.equal(file.write('x'), undefined, 'the program has ended');
    await file.remove();
  });

  it('is opened by a shell and by Python without a look at the arguments', async function () {
    if (spawnSync('python3', ['-c', '']).status !== 0) skip(this, 'python3 does not start');
    const args = ['$(id)', '`id`', 'a;id', '"', "'", '<', '', 'a\nid', '~', '&&', '\\'];
    const file = await files.make({ text: 'in', staysOpen: false });
    const print = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
    const node = nodeCommand(file, ...args).map((word) => (word === ECHO ? print : word));
    assert.deepEqual(JSON.parse(await outputOf(node)), args);

    const { pythonArgs } = debugpy.readingFrom?.({ pythonArgs: ['-c'] }, file.path) ?? {};
    const code = 'import json, sys; print(json.dumps([sys.stdin.read(), *sys.argv[1:]]))';
    const python = ['python3', ...listOf(pythonArgs).map(String), code, ...args];
    assert.deepEqual(JSON.parse(await outputOf(python)), ['in', ...args]);
  });
});
