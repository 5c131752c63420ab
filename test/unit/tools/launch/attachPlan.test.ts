import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AttachTarget } from '../../../../src/debugger/adapters/adapterParts';
import { attachConfiguration } from '../../../../src/debugger/adapters/registry';
import { readCard } from '../../support/card';
import { ask, toolNamed } from '../../support/asking';
import { skip } from '../../../support/skip';
import { bench, failsWith, type Bench } from '../../support/services';

const paths = [{ local: '/home/ada/app', remote: '/srv/app' }];
const byPort: AttachTarget = { processId: undefined, host: 'box', port: 9, paths: [] };
const byProcess: AttachTarget = { processId: 7, host: 'localhost', port: undefined, paths: [] };

describe('the configuration of an attach', () => {
  const expected: Readonly<
    Record<string, readonly [port: unknown, process: unknown, paths: object]>
  > = {
    node: [
      { address: 'box', port: 9, skipFiles: ['<node_internals>/**'] },
      { processId: '7', address: '127.0.0.1', skipFiles: ['<node_internals>/**'] },
      { localRoot: '/home/ada/app', remoteRoot: '/srv/app' },
    ],
    chrome: [
      { address: 'box', port: 9 },
      undefined,
      { pathMapping: { '/srv/app': '/home/ada/app' } },
    ],
    debugpy: [
      { connect: { host: 'box', port: 9 } },
      { processId: 7 },
      { pathMappings: [{ localRoot: '/home/ada/app', remoteRoot: '/srv/app' }] },
    ],
    go: [
      { mode: 'remote', host: 'box', port: 9 },
      { mode: 'local', processId: 7 },
      { substitutePath: [{ from: '/home/ada/app', to: '/srv/app' }] },
    ],
    'lldb-dap': [
      { 'gdb-remote-hostname': 'box', 'gdb-remote-port': 9 },
      { pid: 7 },
      { sourceMap: [['/srv/app', '/home/ada/app']] },
    ],
    lldb: [
      { processCreateCommands: ['gdb-remote box:9'] },
      { pid: 7 },
      { sourceMap: { '/srv/app': '/home/ada/app' } },
    ],
    java: [{ hostName: 'box', port: 9 }, { processId: 7 }, { sourcePaths: ['/home/ada/app'] }],
  };
  for (const [type, [port, process, mapped]] of Object.entries(expected))
    it(`${type}: has its adapter’s own attributes`, () => {
      assert.deepEqual(attachConfiguration(type, byPort), port);
      assert.deepEqual(attachConfiguration(type, byProcess), process);
      assert.deepEqual(attachConfiguration(type, { ...byPort, paths }), {
        ...(port as object),
        ...mapped,
      });
    });

  it('of an unknown type has a process, or host and port, and maps no paths', () => {
    assert.deepEqual(attachConfiguration('other', byPort), { host: 'box', port: 9 });
    assert.deepEqual(attachConfiguration('other', byProcess), { processId: 7 });
    assert.equal(attachConfiguration('other', { ...byPort, paths }), undefined);
  });

  it('of js-debug has an IPv6 address in brackets', () => {
    for (const host of ['::1', '[::1]'])
      assert.equal(attachConfiguration('node', { ...byPort, host })?.['address'], '[::1]');
  });

  it('of js-debug maps one folder', () => {
    assert.equal(
      attachConfiguration('node', { ...byPort, paths: [...paths, ...paths] }),
      undefined,
    );
  });
});

/** A bench with one installed debugger, of this type. */
function installed(type: string): Bench {
  const on = bench();
  on.workspace.debuggers = () => [{ type, label: type, languages: [] }];
  return on;
}

describe('start_debugging with attach', () => {
  const card = async (on: Bench, input: object): Promise<readonly string[]> => {
    const question = await toolNamed('start_debugging').check(input).question(on.services);
    return readCard(question?.message ?? '');
  };

  it('names the target of the attach in its question', async () => {
    const lines = await card(installed('debugpy'), { attach: { type: 'debugpy', port: 5678 } });
    assert.match(lines.join('\n'), /Attach with Attach to localhost:5678 \(debugpy\)/);
    assert.match(lines.join('\n'), /Attaches to localhost:5678/);
    const gdb = await card(installed('lldb-dap'), { attach: { type: 'lldb-dap', port: 1234 } });
    assert.match(gdb.join('\n'), /Attaches to localhost:1234/);
    const byPid = { attach: { type: 'debugpy', process_id: 1 } };
    if (process.getuid?.() === 0)
      assert.match((await card(installed('debugpy'), byPid)).join('\n'), /Attaches to pid 1/);
  });

  it('finds out the type and the address of what listens on this machine', async () => {
    const on = installed('debugpy');
    on.processes.entries = [
      {
        id: 4_000_000,
        parentId: 1,
        user: 'ada',
        executable: '/usr/bin/python3',
        command: 'python3 -m debugpy --listen 5678 app.py',
      },
    ];
    on.processes.ports.set(5678, [4_000_000]);
    on.processes.hosts.set(5678, ['127.0.0.1']);
    for (const attach of [{ port: 5678 }, { type: 'debugpy', port: 5678 }]) {
      const lines = await card(on, { attach });
      assert.match(lines.join('\n'), /Attach with Attach to 127\.0\.0\.1:5678 \(debugpy\)/);
    }
    const named = await card(on, { attach: { port: 5678, host: 'localhost' } });
    assert.match(named.join('\n'), /Attaches to 127\.0\.0\.1:5678/);
  });

  it('names the types with an example if nothing tells the type', async () => {
    for (const attach of [{ host: 'box', port: 5678 }, { process_id: process.pid }]) {
      const answer = await ask(installed('debugpy'), 'start_debugging', { attach });
      assert.equal(answer['code'], 'invalid_input');
      assert.match(String(answer['hint']), /debugpy.*java.*for example attach/s);
    }
  });

  it('starts the configuration that the card showed', async () => {
    const on = installed('debugpy');
    on.workspace.folders = [{ name: 'app', path: '/home/ada/app' }];
    const input = {
      attach: { type: 'debugpy', host: 'box', port: 5678, path_mappings: { '/srv': '/home/ada' } },
    };
    const answer = await ask(on, 'start_debugging', input);
    assert.equal(answer['code'], 'start_cancelled', 'the host starts nothing');
    const [started] = on.host.started;
    assert.ok(started);
    const { __agentDebuggerLaunch: _mark, ...configuration } = started;
    assert.deepEqual(configuration, {
      request: 'attach',
      name: 'Attach to box:5678',
      type: 'debugpy',
      connect: { host: 'box', port: 5678 },
      pathMappings: [{ localRoot: '/home/ada', remoteRoot: '/srv' }],
    });
  });

  it('refuses invalid or contradictory input, and starts nothing', async () => {
    const on = installed('debugpy');
    const type = 'debugpy';
    const refused: readonly [input: object, code: string][] = [
      [{ attach: { type } }, 'invalid_input'],
      [{ attach: { type, process_id: 1, port: 2 } }, 'invalid_input'],
      [{ attach: { type, process_id: 1, host: 'box' } }, 'invalid_input'],
      [{ attach: { type, process_id: 0 } }, 'invalid_input'],
      [{ attach: { type, port: 70_000 } }, 'invalid_input'],
      [{ attach: { type, port: 1, host: 'a b' } }, 'invalid_input'],
      [{ attach: { type, port: 1, host: '${command:x}' } }, 'invalid_input'],
      [{ attach: { type: '', port: 1 } }, 'invalid_input'],
      [{ attach: { port: 1 } }, 'invalid_input'],
      [{ attach: { type, port: 1 }, program: 'main.js' }, 'invalid_input'],
      [{ attach: { type, port: 1 }, args: ['x'] }, 'invalid_input'],
      [{ attach: { type, port: 1 }, no_debug: true }, 'invalid_input'],
      [{ attach: { type, process_id: process.pid } }, 'not_supported'],
      [{ attach: { type, process_id: 2 ** 22 + 1 } }, 'process_not_found'],
      [{ attach: { type: 'other', port: 1, path_mappings: { a: '/b' } } }, 'not_supported'],
      [{ attach: { type: 'chrome', process_id: process.pid } }, 'not_supported'],
      [{ attach: { type: 'unknown', port: 1 } }, 'debugger_not_installed'],
    ];
    for (const [input, code] of refused) {
      const answer = await ask(on, 'start_debugging', input);
      assert.equal(answer['code'], code, JSON.stringify([input, answer]));
    }
    assert.deepEqual(on.host.started, []);
  });

  const PARTS = [
    { id: 4_000_000, parentId: 1, user: 'ada', executable: '/c/node', command: 'node main' },
    {
      id: 4_000_001,
      parentId: 4_000_000,
      user: 'ada',
      executable: '/c/node',
      command: 'node /c/out/bootstrap-fork --type=fileWatcher',
    },
  ];

  it('refuses an editor, whoever wrote the configuration, and starts nothing', async () => {
    const on = installed('debugpy');
    on.processes.entries = PARTS;
    on.processes.ports.set(9229, [4_000_001]);
    on.workspace.values.set('env:PID', '4000001');
    const attach = { type: 'debugpy', request: 'attach' };
    const wait = { ...attach, processId: '${input:wanted}' };
    on.workspace.sources = [
      {
        kind: 'folder',
        folder: { name: 'app', path: '/home/ada/app' },
        content: {
          value: {
            configurations: [
              { ...attach, name: 'Text', processId: '4000001' },
              { ...attach, name: 'Number', pid: 4_000_001 },
              { ...attach, name: 'Main', pid: 4_000_000 },
              { ...attach, name: 'Variable', processId: '${env:PID}' },
              { ...attach, name: 'Port', connect: { host: '127.0.0.1', port: 9229 } },
              { ...attach, name: 'Address', address: 'localhost', port: 9229 },
              { ...attach, name: 'Socket', websocketAddress: 'ws://127.0.0.1:9229/x' },
              { ...wait, name: 'Input' },
            ],
            compounds: [{ name: 'All', configurations: ['Number'] }],
            inputs: [{ id: 'wanted', type: 'promptString' }],
          },
        },
      },
    ];
    const names = ['Text', 'Number', 'Main', 'Variable', 'Port', 'Address', 'Socket', 'All'];
    for (const input of [
      ...names.map((name) => ({ configuration_name: name })),
      { configuration_name: 'Input', inputs: { wanted: '4000001' } },
      { attach: { type: 'debugpy', port: 9229 } },
    ]) {
      const call = toolNamed('start_debugging').check(input);
      await assert.rejects(
        call.question(on.services),
        failsWith('not_supported'),
        JSON.stringify(input),
      );
      assert.equal((await ask(on, 'start_debugging', input))['code'], 'not_supported');
    }
    assert.deepEqual(on.host.started, []);
  });

  it('shows the command line and the user of the process', async () => {
    const on = installed('debugpy');
    const command = `python server.py ${'x'.repeat(3000)} --end`;
    const self = { id: process.pid, parentId: 1, user: 'ada', executable: '/ext', command: 'ext' };
    const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
    await once(child, 'spawn');
    const id = child.pid ?? 0;
    on.processes.entries = [self, { ...self, id, executable: '/python', command }];
    try {
      const lines = await card(on, { attach: { type: 'debugpy', process_id: id } });
      const text = lines.join('\n');
      assert.match(
        text,
        /The process runs python server\.py x+ \[…\d+…\] x+ --end as the user ada/,
      );
      on.processes.entries = [self];
      const unknown = await card(on, { attach: { type: 'debugpy', process_id: id } });
      assert.match(unknown.join('\n'), /What the process runs is not known/);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('refuses the process of another user before it asks the person', async function () {
    const foreign = await foreignProcess();
    if (foreign === undefined) skip(this, 'no process of another user can be found or made');
    try {
      const input = { attach: { type: 'lldb-dap', process_id: foreign.id } };
      const on = installed('lldb-dap');
      const answer = await ask(on, 'start_debugging', input);
      assert.equal(answer['code'], 'process_not_permitted', JSON.stringify(answer));
      assert.match(String(answer['message']), new RegExp(`${foreign.id}.*another user`));
      assert.match(String(answer['hint']), /Nothing was started/);
      await assert.rejects(
        toolNamed('start_debugging').check(input).question(on.services),
        failsWith('process_not_permitted'),
      );
      assert.deepEqual(on.host.started, []);
    } finally {
      foreign.dispose();
    }
  });
});

function mayTouch(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

/** Unprivileged users: `daemon` and, on Linux, `nobody`. */
const [OTHER, NOBODY] = [1, 65_534];

/** A process of another user, which we may not signal. Root may signal any, so it acts as `nobody` until disposal. */
async function foreignProcess(): Promise<
  { readonly id: number; readonly dispose: () => void } | undefined
> {
  const { seteuid } = process;
  if (seteuid === undefined) return undefined;
  // The first process is root's; in a container it may be ours.
  if (process.getuid?.() !== 0)
    return mayTouch(1) ? undefined : { id: 1, dispose: () => undefined };
  const child = spawn('/bin/sleep', ['600'], { uid: OTHER, gid: OTHER, stdio: 'ignore' });
  await once(child, 'spawn');
  seteuid(NOBODY);
  return {
    id: child.pid ?? 0,
    dispose: () => {
      seteuid(0);
      child.kill('SIGKILL');
    },
  };
}
