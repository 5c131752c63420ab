import { strict as assert } from 'node:assert';
import { editorProcesses } from '../../../../src/debugger/processes/editorProcesses';
import { withDescendants, type ProcessEntry } from '../../../../src/debugger/processes/processes';

/** A process: its id, its parent, its executable and its further arguments. */
function entry(id: number, parentId: number, executable: string, args = ''): ProcessEntry {
  return { id, parentId, user: 'ada', executable, command: `${executable} ${args}`.trim() };
}

function idsOf(table: readonly ProcessEntry[], self: number): readonly number[] {
  return [...editorProcesses(table, self)].sort((left, right) => left - right);
}

const ROOT = '/home/ada/.vscode-server/bin/1f2e';
const FORK = `${ROOT}/out/bootstrap-fork`;
const EXTENSIONS = '/home/ada/.vscode-server/extensions';

/** A server with one window: 10 is its main process, 12 this window's extension host. */
const SERVER: readonly ProcessEntry[] = [
  entry(1, 0, '/sbin/init'),
  entry(9, 1, '/bin/sh', `${ROOT}/bin/code-server`),
  entry(10, 9, `${ROOT}/node`, `${ROOT}/out/server-main.js --port 0`),
  entry(11, 10, `${ROOT}/node`, `${FORK} --type=fileWatcher`),
  entry(12, 10, `${ROOT}/node`, `--dns-result-order=ipv4first ${FORK} --type=extensionHost`),
  entry(13, 10, `${ROOT}/node`, `${FORK} --type=ptyHost --logsLevel 2`),
  entry(14, 10, `${ROOT}/node`, `${FORK} --type=agentHost`),
  entry(15, 14, `${ROOT}/node_modules/@github/copilot/runtime`, '--headless'),
  entry(16, 12, `${ROOT}/node`, `${ROOT}/extensions/node_modules/typescript/lib/tsserver.js`),
  entry(17, 16, `${ROOT}/node`, `${ROOT}/extensions/node_modules/typescript/lib/typings.js`),
  entry(18, 12, '/usr/bin/python3', `${EXTENSIONS}/ms-python.debugpy-2025.8.0-linux/adapter`),
];

/** What that window has started for the person. */
const PROGRAMS: readonly ProcessEntry[] = [
  entry(30, 13, '/bin/bash', '--init-file shellIntegration-bash.sh'),
  entry(31, 30, '/usr/bin/node', 'server.js'),
  entry(32, 31, '/usr/bin/node', 'worker.js'),
  entry(33, 12, '/usr/bin/node', '/home/ada/app/server.js'),
  entry(
    34,
    18,
    '/usr/bin/python3',
    `${EXTENSIONS}/ms-python.debugpy-2025.8.0-linux/launcher app.py`,
  ),
  entry(35, 1, '/usr/bin/node', '/home/ada/other/server.js'),
  entry(36, 12, '/home/ada/go/bin/dlv', 'dap'),
];

describe('the processes of editors', () => {
  it('are all of a server, and none of the programs that it has started', () => {
    const table = [...SERVER, ...PROGRAMS];
    assert.deepEqual(idsOf(table, 12), [10, 11, 12, 13, 14, 15, 16, 17, 18]);
  });

  it('are those of another window and of another editor as well', () => {
    const other = '/opt/cursor/resources/app';
    const others = [
      entry(40, 10, `${ROOT}/node`, `${FORK} --type=extensionHost`),
      entry(41, 40, '/usr/bin/python3', `${EXTENSIONS}/ms-python.vscode-pylance-2025.1.1/x`),
      entry(50, 1, `${other}/node`, `${other}/out/server-main.js`),
      entry(51, 50, `${other}/node`, `${other}/out/bootstrap-fork --type=extensionHost`),
    ];
    const found = editorProcesses([...SERVER, ...others], 12);
    for (const { id } of others) assert.ok(found.has(id), String(id));
  });

  it('are those of a desktop editor: its windows, its utility processes and its helpers', () => {
    const code = '/usr/share/code/code';
    const table = [
      entry(10, 1, code, '--unity-launch'),
      entry(11, 10, code, '--type=zygote --no-zygote-sandbox'),
      entry(12, 11, code, '--type=renderer --vscode-window-config=vscode:1'),
      entry(13, 10, code, '--type=utility --vscode-utility-kind=fileWatcher'),
      entry(14, 10, code, '--type=utility --vscode-utility-kind=extensionHost'),
      entry(15, 10, '/usr/share/code/chrome_crashpad_handler', '--monitor-self'),
      entry(16, 14, code, '/usr/share/code/resources/app/extensions/json/server'),
      entry(20, 10, code, '--type=utility --vscode-utility-kind=ptyHost'),
      entry(21, 20, '/bin/zsh'),
      entry(22, 21, '/usr/bin/node', 'server.js'),
      entry(23, 14, '/usr/bin/node', 'server.js'),
      // The person's own Electron app.
      entry(30, 1, '/home/ada/app/electron', '.'),
      entry(31, 30, '/home/ada/app/electron', '--type=renderer'),
    ];
    assert.deepEqual(idsOf(table, 14), [10, 11, 12, 13, 14, 15, 16, 20]);
  });

  it('are those of one application on macOS, whose helpers have other executables', () => {
    const app = '/Applications/Visual Studio Code.app/Contents';
    const helper = `${app}/Frameworks/Code Helper (Plugin).app/Contents/MacOS/Code Helper (Plugin)`;
    const table = [
      entry(10, 1, `${app}/MacOS/Electron`),
      entry(11, 10, helper, '--type=utility --vscode-utility-kind=extensionHost'),
      entry(12, 10, `${app}/Frameworks/Code Helper (GPU).app/x`, '--type=gpu-process'),
      entry(13, 11, helper, `${app}/Resources/app/extensions/css/server`),
      entry(20, 11, '/usr/local/bin/node', 'app.js'),
    ];
    assert.deepEqual(idsOf(table, 11), [10, 11, 12, 13]);
  });

  it('are found in a table of nonsense in linear time', () => {
    const nonsense = 'a/out/bootstrap-for'.repeat(500);
    const table = Array.from({ length: 2000 }, (_, id) => entry(id, id, '/bin/x', nonsense));
    assert.deepEqual(idsOf(table, -1), []);
  });
});

describe('a process tree', () => {
  it('has all descendants, and ends in a circle', () => {
    const table = [...SERVER, ...PROGRAMS, entry(60, 61, 'a'), entry(61, 60, 'b')];
    assert.deepEqual([...withDescendants(table, [30])], [30, 31, 32]);
    assert.deepEqual([...withDescendants(table, [60])], [60, 61]);
  });
});
