import {
  INVESTIGATION_ID,
  INVESTIGATION_INPUTS,
  withInvestigation,
} from '../../support/investigationInputs';
import { strict as assert } from 'node:assert';
import { Confirmation } from '../../../../src/mcp/server/confirmation';
import { ALL_TOOLS } from '../../../../src/tools/catalog';
import type { Tool, ToolResult } from '../../../../src/tools/defineTool';
import { z } from 'zod';
import type { Prepared } from '../../../../src/tools/preparedCalls';
import { prepareCall, runTool } from '../../../../src/tools/run';
import { filePath } from '../../../../src/tools/schemas';
import { readCard } from '../../support/card';
import { bench, FILE, paused, type Bench } from '../../support/services';

const SECRET = '/etc/secret.env';
const LINES = ['TOKEN=one', 'MODE=fast', 'MODE=slow'];

/** A bench with a file outside the workspace, and links that lead to it. */
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
  const found = ALL_TOOLS.find((candidate) => candidate.name === name);
  assert.ok(found);
  return found;
}

const SET = tool('set_breakpoint');
const run = async (on: Bench, input: object, prepared?: Prepared): Promise<ToolResult> =>
  await runTool(SET, input, on.services, { ...on.call, prepared });

describe('a file outside the workspace', () => {
  it('is not quoted without consent, whatever the path, and no answer shows what the file contains', async () => {
    for (const file_path of WAYS) {
      const on = withSecret();
      const answers = await Promise.all(
        ['MODE', 'TOKEN=one', 'absent'].map((line_content) => run(on, { file_path, line_content })),
      );
      assert.deepEqual(
        [...new Set(answers.map((answer) => answer['code']))],
        ['file_outside_workspace'],
        file_path,
      );
      assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
      assert.deepEqual(
        [on.workspace.looked.filter((file) => file.startsWith('/etc')), on.host.breakpoints()],
        [[], []],
        file_path,
      );
    }
  });

  it('takes a breakpoint by line number without being read; the answer says so and lists workspace files of that name', async () => {
    const on = withSecret();
    on.workspace.files.set('/home/ada/app/config/secret.env', '');
    for (const file_path of [SECRET, '/etc/absent.env']) {
      const answer = await run(on, { file_path, line_number: 99 });
      assert.deepEqual(
        [answer.status, answer['message']],
        [
          'success',
          `${file_path} is outside the workspace and was not read, so it is not known whether it has line 99.`,
        ],
      );
      assert.equal(
        JSON.stringify(answer).includes('/home/ada/app/config/secret.env'),
        file_path === SECRET,
      );
    }
    assert.deepEqual(
      on.workspace.looked.filter((file) => file.startsWith('/etc')),
      [],
    );
  });

  it('is asked about on a card that names it, whatever the person allows, before the file is accessed', async () => {
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
          '/etc/secret.env is outside the workspace. The agent may see lines of it.',
        );
        assert.deepEqual(
          on.workspace.looked.filter((file) => file.startsWith('/etc')),
          [],
        );
      }
    }
  });

  it('is read only for the call that the person approved, and no other file is', async () => {
    const on = withSecret();
    on.workspace.files.set('/etc/other.env', LINES.join('\n'));
    const input = { file_path: 'link.env', line_content: 'MODE' };
    const { prepared } = await prepareCall(SET, input, on.services, () => false);
    const answer = await run(on, input, prepared);
    assert.deepEqual(
      [
        answer['code'],
        (answer['candidates'] as { line: number }[]).map((candidate) => candidate.line),
      ],
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
    // The link was changed after the person was asked.
    on.workspace.links.set('/home/ada/app/link.env', '/etc/other.env');
    assert.equal((await run(on, input, prepared))['code'], 'moved_meanwhile');
  });

  it('is asked about by VS Code if it asks about MCP clients’ calls at all, even if all such calls were allowed', async () => {
    const on = withSecret();
    const [caller, never] = [{ name: 'cline' }, new AbortController().signal];
    const asked: string[] = [];
    const ask = async ({ message }: { message: string }): Promise<'all'> => {
      asked.push(message);
      return 'all';
    };
    const input = { file_path: SECRET, line_content: 'TOKEN' };
    const off = new Confirmation({ isRequired: () => false, asks: () => false, ask });
    const allowed = { kind: 'allowed' };
    assert.deepEqual(await off.confirm(SET, input, on.services, caller, never), allowed);
    const confirmation = new Confirmation({ isRequired: () => false, asks: () => true, ask });
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

  it('is read if the debugger of a live session has named it', async () => {
    const on = paused(withSecret());
    on.host
      .on('setBreakpoints', () => ({ breakpoints: [{ id: 1, verified: true }] }))
      .on('stackTrace', () => ({
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

  it('is not a file in a workspace folder that is itself a link', async () => {
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

  it('keeps the line of a breakpoint by text: the person has not approved a read to find where the text moved', async () => {
    const on = withSecret();
    const input = { file_path: SECRET, line_content: 'TOKEN' };
    await run(on, input, (await prepareCall(SET, input, on.services, () => false)).prepared);
    on.workspace.files.set(SECRET, ['new', ...LINES].join('\n'));
    await runTool(tool('get_breakpoints'), {}, on.services, on.call);
    assert.deepEqual(
      on.host
        .breakpoints()
        .map((breakpoint) => (breakpoint.kind === 'source' ? breakpoint.line : 0)),
      [1],
    );
  });

  it('is not read through a launch.json that leads to it, and the answer says so', async () => {
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

  it('is looked up as a program only after the person has approved the card that names it', async () => {
    const on = withSecret();
    const started: unknown[] = [];
    on.host.onStart = (configuration) => {
      started.push(configuration['program']);
      return Promise.resolve(false);
    };
    const start = tool('start_debugging');
    for (const [program, code] of [
      ['/etc/absent.js', 'program_not_found'],
      [SECRET, 'start_cancelled'],
    ] as const) {
      const input = { program, type: 'test' };
      const { prepared } = await prepareCall(start, input, on.services, () => false);
      assert.deepEqual(
        [prepared.kind, on.workspace.looked.filter((file) => file.startsWith('/etc'))],
        ['asked', []],
      );
      assert.equal(
        (await runTool(start, input, on.services, { ...on.call, prepared }))['code'],
        code,
      );
      on.workspace.looked.length = 0;
      assert.equal((await runTool(start, input, on.services, on.call))['code'], 'start_cancelled');
      assert.deepEqual(
        on.workspace.looked.filter((file) => file.startsWith('/etc')),
        [],
      );
    }
    assert.deepEqual(started, ['/etc/absent.js', SECRET, SECRET]);
  });

  it('is accessed by no tool that takes a path, whatever the outcome of the call', async () => {
    const inputs: Readonly<Record<string, readonly object[]>> = {
      start_debugging: [
        { program: SECRET, type: 'test' },
        { program: SECRET },
        { program: '/etc', type: 'test' },
        { program: FILE, cwd: '/etc' },
        { program: FILE, cwd: 'etc' },
      ],
      continue_debugging: [{ thread_id: 1, until_line: 99, file_path: SECRET }],
      goto_line: [{ file_path: SECRET, line_number: 99 }],
      wait_for_stop: [{ trigger: { url: `file://${SECRET}` } }],
      set_breakpoint: [
        { file_path: SECRET, line_content: 'MODE' },
        { file_path: SECRET, line_number: 99 },
        { file_path: SECRET, line_number: 1, hit_condition: '> 5' },
      ],
      remove_breakpoint: [
        { location: { file_path: SECRET, line_number: 1 } },
        { location: { file_path: 'etc/secret.env', line_number: 1 } },
      ],
      debug_test: [{ file_path: SECRET, test_name: 'adds', framework: 'node_test' }],
      what_ran: [
        { file_path: SECRET, test_name: 'adds', framework: 'node_test' },
        { file_path: SECRET, test_name: 'adds', framework: 'node_test', source: '/etc' },
      ],
      trace_function: [
        { file_path: SECRET, line: 1 },
        { file_path: SECRET, function_name: 'other' },
        { function_name: 'main', test: { file_path: SECRET, test_name: 'adds' } },
      ],
      collect_values: [
        { probes: [{ file_path: SECRET, line: 1, expressions: ['x'] }] },
        { probes: [{ file_path: SECRET, line_content: 'MODE', expressions: ['x'] }] },
        { probes: [{ function_name: 'main', expressions: ['x'] }], program: SECRET },
      ],
      explain_hang: [
        { program: SECRET },
        { test: { file_path: SECRET, test_name: 'adds' } },
        { trigger: { url: `file://${SECRET}` } },
      ],
      compare_heap: [{ program: SECRET }, { trigger: { url: `file://${SECRET}` } }],
      capture_run: [
        { ...INVESTIGATION_INPUTS['capture_run'], cwd: '/etc' },
        { ...INVESTIGATION_INPUTS['capture_run'], cwd: 'etc' },
        {
          sid: INVESTIGATION_ID,
          mode: 'web',
          url: 'http://127.0.0.1/',
          webRoot: '/etc',
        },
      ],
      verify_run: [{ ...INVESTIGATION_INPUTS['verify_run'], cwd: '/etc' }],
    };
    const taking = ALL_TOOLS.filter((candidate) =>
      JSON.stringify(z.toJSONSchema(candidate.input, { io: 'input' })).includes(
        `"maxLength":${filePath.maxLength}`,
      ),
    );
    assert.deepEqual(
      taking.map((candidate) => candidate.name).sort(),
      Object.keys(inputs).sort(),
      'each tool that takes a path is tried here',
    );
    for (const declared of taking) {
      for (const input of inputs[declared.name] ?? []) {
        const on = withInvestigation(paused(withSecret()));
        on.host
          .on('setBreakpoints', () => ({ breakpoints: [{ verified: false }] }))
          .on('breakpointLocations', () => ({ breakpoints: [{ line: 2 }] }))
          .on('continue', () => {
            on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
            return {};
          });
        const prepared = await prepareCall(declared, input, on.services, () => false);
        const answer = await runTool(declared, input, on.services, on.call);
        assert.deepEqual(
          on.workspace.looked.filter((looked) => looked.startsWith('/etc')),
          [],
          `${declared.name} ${JSON.stringify(input)}`,
        );
        assert.doesNotMatch(JSON.stringify([prepared, answer]), /TOKEN|fast/);
      }
    }
  });
});
