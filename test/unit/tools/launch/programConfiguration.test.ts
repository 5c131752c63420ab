import { strict as assert } from 'node:assert';
import { GuardedWorkspace } from '../../../../src/tools/files/fileAccess';
import { configurationFor } from '../../../../src/tools/launch/programConfiguration';
import { FakeWorkspace } from '../../support/services';

class NodeWorkspace extends FakeWorkspace {
  override debuggers(): readonly { type: string; label: string; languages: readonly string[] }[] {
    return [{ type: 'node', label: 'Node.js', languages: ['javascript'] }];
  }
}

function node(): { workspace: GuardedWorkspace } {
  const workspace = new NodeWorkspace();
  return { workspace: new GuardedWorkspace(workspace, workspace, () => Promise.resolve(false)) };
}

describe('a configuration for a program', () => {
  const made = async (program: string, type?: string) =>
    (await configurationFor(node(), program, type))['outputCapture'];

  it('shows the output that a tool from npm writes to its streams', async () => {
    assert.equal(await made('/app/node_modules/jest/bin/jest.js'), 'std');
    assert.equal(await made('/app/node_modules/jest/bin/jest.js', 'pwa-node'), 'std');
  });

  it('skips Node’s internals, as VS Code’s own proposal does', async () => {
    const skipped = async (type?: string): Promise<unknown> =>
      (await configurationFor(node(), '/app/src/main.js', type))['skipFiles'];
    assert.deepEqual(await skipped(), ['<node_internals>/**']);
    assert.equal(await skipped('chrome'), undefined);
  });

  it('shows the return values of Python functions', async () => {
    const shows = async (type: string): Promise<unknown> =>
      (await configurationFor(node(), '/app/src/main.py', type))['showReturnValue'];
    assert.deepEqual(
      [await shows('debugpy'), await shows('python'), await shows('node')],
      [true, true, undefined],
    );
  });

  it('tells the debugger of a web framework that the file of a Python program uses', async () => {
    const services = node();
    const workspace = new NodeWorkspace();
    workspace.files.set('/home/ada/app/run.py', 'from flask import Flask');
    services.workspace = new GuardedWorkspace(workspace, workspace, () => Promise.resolve(false));
    const uses = async (type: string, file = 'run.py'): Promise<unknown> =>
      (await configurationFor(services, `/home/ada/app/${file}`, type))['jinja'];
    assert.deepEqual(
      [await uses('debugpy'), await uses('node'), await uses('debugpy', 'missing.py')],
      [true, undefined, undefined],
    );
  });

  it('leaves other debuggers unchanged, and the person’s own program, whose logged objects can be expanded', async () => {
    assert.equal(await made('/app/src/main.js'), undefined);
    assert.equal(await made('/app/node_modules/x/x.js', 'chrome'), undefined);
  });
});
