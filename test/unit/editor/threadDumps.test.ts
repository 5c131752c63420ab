import { strict as assert } from 'node:assert';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jdkThreadDumps } from '../../../src/editor/threadDumps';

describe('the list of threads that a JDK writes', function () {
  let jdk: string;

  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  beforeEach(() => (jdk = mkdtempSync(path.join(tmpdir(), 'agent-debugger-jdk-'))));
  afterEach(() => {
    delete process.env['JAVA_TOOL_OPTIONS'];
    rmSync(jdk, { recursive: true });
  });

  const tool = (text: string): void => {
    const file = path.join(jdk, 'jcmd');
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
  };

  const read = async (isStopped = false): Promise<string | undefined> =>
    await jdkThreadDumps.ofJava(process.pid, { java: path.join(jdk, 'java'), isStopped });

  it('is asked for without the agents of the program', async () => {
    process.env['JAVA_TOOL_OPTIONS'] = '-agentlib:jdwp=transport=dt_socket,address=1';
    tool('echo "$@ [$JAVA_TOOL_OPTIONS]"');
    assert.equal(await read(), `${process.pid} Thread.print -l []\n`);
  });

  it('is unknown if there is no such tool, or it fails', async () => {
    assert.equal(await read(), undefined);
    tool('echo half; exit 1');
    assert.equal(await read(), undefined);
    assert.equal(
      await jdkThreadDumps.ofJava(2 ** 30, { java: undefined, isStopped: false }),
      undefined,
    );
  });

  it('is not asked for while the program stands and listens to no tool', async () => {
    tool('echo answer');
    assert.equal(await read(true), undefined);
  });
});
