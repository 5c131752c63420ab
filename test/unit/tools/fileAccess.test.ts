import { strict as assert } from 'node:assert';
import { shareOf } from '../../../src/debugger/sourcePath';
import { Confirmation } from '../../../src/mcp/confirmation';
import { TOOLS } from '../../../src/tools/catalog';
import type { Tool, ToolResult } from '../../../src/tools/defineTool';
import { inputSchemaOf } from '../../../src/tools/jsonSchema';
import { checkLocal } from '../../../src/tools/localPath';
import type { Prepared } from '../../../src/tools/preparedCalls';
import { prepareCall, runTool } from '../../../src/tools/run';
import { filePath } from '../../../src/tools/schemas';
import { readCard } from '../support/card';
import { bench, failsWith, FILE, paused, type Bench } from '../support/services';

const SECRET = '/etc/secret.env';
const LINES = ['TOKEN=one', 'MODE=fast', 'MODE=slow'];

/** A file outside the workspace, and links that lead there. */
function withSecret(on = bench()): Bench {
  on.workspace.files.set(SECRET, LINES.join('\n'));
  on.workspace.links.set('/home/ada/app/link.env', SECRET);
  on.workspace.links.set('/home/ada/app/etc', '/etc');
  return on;
}

const WAYS = [
  SECRET,
  '/home/ada/app/../../../etc/secret.env',
  '../../../etc/secret.env',
  'link.env',
  '/home/ada/app/link.env',
  'etc/secret.env',
];

function tool(name: string): Tool {
  const found = TOOLS.find((each) => each.name === name);
  assert.ok(found);
  return found;
}

const SET = tool('set_breakpoint');
const run = async (on: Bench, input: object, prepared?: Prepared): Promise<ToolResult> =>
  await runTool(SET, input, on.services, { ...on.call, prepared });

describe('a file outside the workspace', () => {
  it('is not quoted without a yes, by whatever path, and what it holds is not told from what it does not', async () => {
    for (const file_path of WAYS) {
      const on = withSecret();
      const answers = await Promise.all(
        ['MODE', 'TOKEN=one', 'absent'].map((line_content) => run(on, { file_path, line_content })),
      );
      assert.deepEqual(
        [...new Set(answers.map((each) => each['code']))],
        ['file_outside_workspace'],
        file_path,
      );
      assert.equal(new Set(answers.map((each) => JSON.stringify(each))).size, 1);
      assert.deepEqual(
        [on.workspace.looked.filter((each) => each.startsWith('/etc')), on.host.breakpoints()],
        [[], []],
        file_path,
      );
    }
  });

  it('takes a breakpoint by a line’s number, unread: that is said, with files of the workspace of that name', async () => {
    const on = withSecret();
    on.workspace.files.set('/home/ada/app/config/secret.env', '');
    for (const file_path of [SECRET, '/etc/absent.env']) {
      const answer = await run(on, { file_path, line_number: 99 });
      assert.deepEqual(
        [answer.status, answer['message']],
        [
          'success',
          `${file_path} is outside the workspace and was not read: whether it has line 99 is not known.`,
        ],
      );
      assert.equal(
        JSON.stringify(answer).includes('/home/ada/app/config/secret.env'),
        file_path === SECRET,
      );
    }
    assert.deepEqual(
      on.workspace.looked.filter((each) => each.startsWith('/etc')),
      [],
    );
  });

  it('is asked about on a card that names it, whatever the person allows, before anything of it is looked at', async () => {
    for (const allowed of [true, false]) {
      for (const more of [
        { line_content: 'MODE' },
        { line_content: 'absent' },
        { line_number: 99 },
      ]) {
        const on = withSecret();
        const { prepared } = await prepareCall(
          SET,
          { file_path: 'link.env', ...more },
          on.services,
          () => allowed,
        );
        assert.ok(prepared.kind === 'asked');
        const [first, second] = readCard(prepared.question.message);
        assert.equal(
          first,
          'line_content' in more
            ? `Break at link.env: ${more.line_content}`
            : 'Break at link.env:99',
        );
        assert.equal(
          second,
          '/etc/secret.env is outside the workspace. The agent may be told lines of it.',
        );
        assert.deepEqual(
          on.workspace.looked.filter((each) => each.startsWith('/etc')),
          [],
        );
      }
    }
  });

  it('is read for the call that was answered with yes, and only that file, and only for that call', async () => {
    const on = withSecret();
    on.workspace.files.set('/etc/other.env', LINES.join('\n'));
    const input = { file_path: 'link.env', line_content: 'MODE' };
    const { prepared } = await prepareCall(SET, input, on.services, () => false);
    const answer = await run(on, input, prepared);
    assert.deepEqual(
      [answer['code'], (answer['candidates'] as { line: number }[]).map((each) => each.line)],
      ['line_not_found', [2, 3]],
    );
    assert.equal((await run(on, input))['code'], 'file_outside_workspace');
    const found = { file_path: SECRET, line_content: 'TOKEN' };
    assert.equal(
      (await run(on, found, (await prepareCall(SET, found, on.services, () => false)).prepared))
        .status,
      'success',
    );
    assert.equal(
      (
        await run(
          on,
          { ...found, line_number: 99, line_content: undefined },
          (await prepareCall(SET, { file_path: SECRET, line_number: 99 }, on.services, () => false))
            .prepared,
        )
      )['code'],
      'line_out_of_range',
    );
    // The link leads elsewhere since the person was asked.
    on.workspace.links.set('/home/ada/app/link.env', '/etc/other.env');
    assert.equal((await run(on, input, prepared))['code'], 'moved_meanwhile');
  });

  it('is asked about by VS Code where it asks about MCP clients’ calls at all, also where all such calls were allowed', async () => {
    const on = withSecret();
    const [caller, never] = [{ name: 'cline' }, new AbortController().signal];
    const asked: string[] = [];
    const ask = async ({ message }: { message: string }): Promise<'all'> => {
      asked.push(message);
      return 'all';
    };
    const input = { file_path: SECRET, line_content: 'TOKEN' };
    const off = new Confirmation({ wanted: () => false, asks: () => false, ask });
    const allowed = { kind: 'allowed' };
    assert.deepEqual(await off.confirm(SET, input, on.services, caller, never), allowed);
    const confirmation = new Confirmation({ wanted: () => false, asks: () => true, ask });
    for (const times of [1, 2]) {
      const prepared = await confirmation.confirm(SET, input, on.services, caller, never);
      assert.deepEqual([asked.length, (await run(on, input, prepared)).status], [times, 'success']);
    }
    assert.deepEqual(
      await confirmation.confirm(
        SET,
        { file_path: FILE, line_number: 1 },
        on.services,
        caller,
        never,
      ),
      allowed,
    );
  });

  it('is read where the debugger of a live session has named it', async () => {
    const on = paused(withSecret());
    on.host.on('stackTrace', () => ({
      stackFrames: [{ id: 10, name: 'main', line: 2, column: 1, source: { path: SECRET } }],
      totalFrames: 1,
    }));
    assert.equal(
      (await run(on, { file_path: SECRET, line_content: 'TOKEN' }))['code'],
      'file_outside_workspace',
      'not before',
    );
    const stop = await runTool(tool('pause_debugging'), {}, on.services, on.call);
    assert.deepEqual((stop['stop_event_data'] as { source_lines: string[] }).source_lines, [
      ' 1 TOKEN=one',
      '>2 MODE=fast',
      ' 3 MODE=slow',
    ]);
    assert.equal((await run(on, { file_path: SECRET, line_content: 'TOKEN' })).status, 'success');
    assert.equal(
      (await run(on, { file_path: '/etc/other.env', line_content: 'TOKEN' }))['code'],
      'file_outside_workspace',
    );
  });

  it('is none in a workspace folder that is a link itself', async () => {
    const on = bench();
    on.workspace.links.set('/home/ada/app', '/disk/app');
    on.workspace.files.set('/disk/app/main.js', 'one\ntwo');
    for (const file_path of ['main.js', FILE, '/disk/app/main.js'])
      assert.equal(
        (await run(on, { file_path, line_content: 'two' })).status,
        'success',
        file_path,
      );
    assert.equal(
      (await run(on, { file_path: '/disk/apple/main.js', line_content: 'two' }))['code'],
      'file_outside_workspace',
    );
  });

  it('keeps a breakpoint by its text where it is: nobody has said yes to look where the text went', async () => {
    const on = withSecret();
    const input = { file_path: SECRET, line_content: 'TOKEN' };
    await run(on, input, (await prepareCall(SET, input, on.services, () => false)).prepared);
    on.workspace.files.set(SECRET, ['new', ...LINES].join('\n'));
    await runTool(tool('get_breakpoints'), {}, on.services, on.call);
    assert.deepEqual(
      on.host.breakpoints().map((each) => (each.kind === 'source' ? each.line : 0)),
      [1],
    );
  });

  it('a launch.json that leads there is not read, and that is said', async () => {
    const on = bench();
    on.workspace.sources = [
      {
        kind: 'folder',
        folder: { name: 'app', path: '/home/ada/app' },
        content: { unread: '/home/ada/app/.vscode/launch.json' },
      },
    ];
    const answer = await runTool(tool('get_debugger_configurations'), {}, on.services, on.call);
    assert.equal(answer['code'], 'file_outside_workspace');
    assert.match(String(answer['message']), /launch\.json/);
  });

  it('no tool that takes a path looks at it, whatever comes of the call', async () => {
    const inputs: Readonly<Record<string, readonly object[]>> = {
      start_debugging: [
        { program: SECRET, type: 'test' },
        { program: SECRET },
        { program: '/etc', type: 'test' },
        { program: FILE, cwd: '/etc' },
        { program: FILE, cwd: 'etc' },
      ],
      continue_debugging: [{ thread_id: 1, until_line: 99, file_path: SECRET }],
      set_breakpoint: [
        { file_path: SECRET, line_content: 'MODE' },
        { file_path: SECRET, line_number: 99 },
        { file_path: SECRET, line_number: 1, hit_condition: '> 5' },
      ],
      remove_breakpoint: [
        { location: { file_path: SECRET, line_number: 1 } },
        { location: { file_path: 'etc/secret.env', line_number: 1 } },
      ],
    };
    const taking = TOOLS.filter((each) =>
      JSON.stringify(inputSchemaOf(each)).includes(`"maxLength":${filePath.maxLength}`),
    );
    assert.deepEqual(
      taking.map((each) => each.name).sort(),
      Object.keys(inputs).sort(),
      'each tool that takes a path is tried here',
    );
    for (const each of taking) {
      for (const input of inputs[each.name] ?? []) {
        const on = paused(withSecret());
        on.host
          .on('setBreakpoints', () => ({ breakpoints: [{ verified: false }] }))
          .on('breakpointLocations', () => ({ breakpoints: [{ line: 2 }] }))
          .on('continue', () => {
            on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
            return {};
          });
        const prepared = await prepareCall(each, input, on.services, () => false);
        const answer = await runTool(each, input, on.services, on.call);
        assert.deepEqual(
          on.workspace.looked.filter((looked) => looked.startsWith('/etc')),
          [],
          `${each.name} ${JSON.stringify(input)}`,
        );
        assert.doesNotMatch(JSON.stringify([prepared, answer]), /TOKEN|fast/);
      }
    }
  });
});

describe('a path that is not even looked at', () => {
  const SHARES = [
    '\\\\server\\share\\x',
    '//server/share/x',
    '\\/server\\share',
    '/\\server/share',
    '\\\\?\\UNC\\server\\share\\x',
    '\\\\?\\C:\\x',
    '\\\\.\\pipe\\x',
    '//?/UNC/server/share',
    '\\??\\UNC\\server\\share',
    '\\\\server',
    '\\\\\\server\\share',
    '\\\\server@SSL\\share',
  ];

  it('is a network share on Windows, in whatever spelling', () => {
    for (const file of SHARES)
      assert.throws(
        () => checkLocal(file, ['C:\\work\\app'], 'win32'),
        failsWith('invalid_input'),
        file,
      );
    for (const file of [
      'C:\\work\\app\\main.js',
      'c:/work/app/main.js',
      'src\\main.js',
      'src/main.js',
      '\\work',
      '/work',
    ])
      checkLocal(file, ['C:\\work\\app'], 'win32');
    for (const file of ['//home/ada/app/main.js', '\\\\odd name'])
      checkLocal(file, ['/home/ada/app'], 'linux');
  });

  it('is none on the share that a workspace folder lies on', () => {
    const folders = ['\\\\Server\\Share\\app'];
    for (const file of ['\\\\server\\share\\app\\main.js', '//SERVER/share/other/main.js'])
      checkLocal(file, folders, 'win32');
    for (const file of [
      '\\\\server\\other\\x',
      '\\\\server2\\share\\x',
      '\\\\?\\UNC\\server\\share\\app\\x',
      '\\\\server\\share2\\x',
    ])
      assert.throws(() => checkLocal(file, folders, 'win32'), failsWith('invalid_input'), file);
    assert.throws(
      () => checkLocal('\\\\?\\C:\\x', ['\\\\?\\C:\\app'], 'win32'),
      failsWith('invalid_input'),
    );
    assert.deepEqual(
      [
        shareOf('\\\\Server\\Share\\app', 'win32'),
        shareOf('C:\\app', 'win32'),
        shareOf('\\\\server\\share', 'linux'),
      ],
      ['\\\\server\\share', undefined, undefined],
    );
  });

  it('is an address', () => {
    for (const platform of ['win32', 'linux'] as const)
      for (const file of [
        'file:///etc/passwd',
        'file://server/share',
        'FILE:\\\\server\\share',
        'vscode-remote://x/y',
        'http://x/y',
      ])
        assert.throws(
          () => checkLocal(file, ['/home'], platform),
          failsWith('invalid_input'),
          file,
        );
  });

  it('is refused by every tool that takes a path', async () => {
    for (const [name, input] of [
      ['set_breakpoint', { line_number: 1 }],
      ['set_breakpoint', { line_content: 'x' }],
      ['remove_breakpoint', undefined],
      ['start_debugging', undefined],
      ['continue_debugging', { thread_id: 1, until_line: 1 }],
    ] as const) {
      const on = paused(bench());
      const file_path = 'file://server/share/x';
      const given =
        name === 'start_debugging'
          ? { program: file_path }
          : name === 'remove_breakpoint'
            ? { location: { file_path, line_number: 1 } }
            : { ...input, file_path };
      assert.equal(
        (await runTool(tool(name), given, on.services, on.call))['code'],
        'invalid_input',
        name,
      );
      assert.deepEqual(on.workspace.looked, []);
    }
  });
});
