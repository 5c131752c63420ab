import { strict as assert } from 'node:assert';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import * as vscode from 'vscode';
import { call, cleanUp, inWorkspace, type Answer } from '../../host/support/client';
import { connectTo, startMcp, type ForTests } from '../../host/mcp/support/mcp';

/** A text that only the files outside the workspace contain. */
const SECRET = 'correct-horse-battery-staple';
const LINES = ['# first', `PASSPHRASE=${SECRET}`, 'MODE=fast', 'MODE=slow', 'last'];

describe('files outside the workspace', () => {
  let outside = '';
  let inside: ForTests;
  let client: Client;

  before(async () => {
    outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-outside-')));
    mkdirSync(path.join(outside, 'project'));
    writeFileSync(path.join(outside, 'secret.env'), LINES.join('\n'));
    writeFileSync(
      path.join(outside, 'project/package.json'),
      JSON.stringify({ main: `${SECRET}.js` }),
    );
    mkdirSync(inWorkspace('links'));
    symlinkSync(path.join(outside, 'secret.env'), inWorkspace('links/secret.env'));
    symlinkSync(path.join(outside, 'none.env'), inWorkspace('links/none.env'));
    symlinkSync(outside, inWorkspace('links/folder'));
    inside = await startMcp();
    client = await connectTo(inside, 'probe');
  });

  after(async () => {
    await client.close();
    await vscode.commands.executeCommand('agentDebugger.mcp.stop');
    rmSync(outside, { recursive: true });
    rmSync(inWorkspace('links'), { recursive: true });
  });

  afterEach(cleanUp);

  const use = async (name: string, input: object): Promise<Answer> =>
    (await client.callTool({ name, arguments: { ...input } })).structuredContent as Answer;

  /** The different paths that lead to a file outside the workspace. */
  const ways = (file: string): readonly string[] => [
    path.join(outside, file),
    path.join(
      inWorkspace('.'),
      '..',
      path.relative(path.dirname(inWorkspace('.')), path.join(outside, file)),
    ),
    path.relative(inWorkspace('.'), path.join(outside, file)),
    inWorkspace(`links/${file}`),
    `links/${file}`,
    `links/folder/${file}`,
  ];

  it('are not quoted to an MCP client by any path, and the answers do not depend on their content', async () => {
    for (const way of ways('secret.env')) {
      const answers = [];
      for (const text of ['MODE', 'PASSPHRASE', 'first', 'nowhere at all', 'last']) {
        const answer = await use('set_breakpoint', { file_path: way, line_content: text });
        assert.equal(answer.status, 'error', `${way} ${text}: ${JSON.stringify(answer)}`);
        answers.push(JSON.stringify(answer));
      }
      assert.equal(new Set(answers).size, 1, `${way}: ${answers.join('\n')}`);
      assert.ok(!answers.join().includes(SECRET));
    }
    assert.deepEqual(vscode.debug.breakpoints, []);
  });

  it('get the same answers as missing files, and their lines are not counted', async () => {
    for (const [there, absent] of ways('secret.env').map(
      (way, index) => [way, ways('none.env')[index] ?? ''] as const,
    )) {
      for (const input of [{ line_number: 3 }, { line_number: 9999 }, { line_content: 'MODE' }]) {
        const answers = [];
        for (const file_path of [there, absent]) {
          const answer = await use('set_breakpoint', { file_path, ...input });
          answers.push(
            JSON.stringify(answer)
              .replaceAll('secret.env', 'X')
              .replaceAll('none.env', 'X')
              .replace(/"(?:timestamp|id)":[^,}]*/g, ''),
          );
          await use('remove_breakpoint', { clear_all: true });
        }
        assert.equal(answers[0], answers[1]);
      }
    }
  });

  it('are not read by start_debugging either', async () => {
    for (const way of [path.join(outside, 'project'), inWorkspace('links/folder/project')]) {
      const answer = await use('start_debugging', {
        program: way,
        type: 'node',
        timeout_seconds: 5,
      });
      assert.ok(
        !JSON.stringify(answer['configuration'] ?? {}).includes(SECRET),
        JSON.stringify(answer),
      );
    }
  });

  it('are not read as launch.json by a link', async () => {
    writeFileSync(
      path.join(outside, 'launch.json'),
      `{ "configurations": [{ "name": "${SECRET}", "type": "node", "request": "launch" }]`,
    );
    const [own, away] = [inWorkspace('.vscode/launch.json'), inWorkspace('.vscode/away.json')];
    renameSync(own, away);
    symlinkSync(path.join(outside, 'launch.json'), own);
    try {
      const answer = await use('get_debugger_configurations', {});
      assert.ok(!JSON.stringify(answer).includes(SECRET), JSON.stringify(answer));
      assert.notEqual(
        answer['code'],
        'launch_file_invalid',
        'what is wrong with it is not told either',
      );
    } finally {
      renameSync(away, own);
    }
  });

  it('are read after the person has confirmed a question that names them', async () => {
    const answer = await call('set_breakpoint', {
      file_path: path.join(outside, 'secret.env'),
      line_content: 'last',
    });
    assert.equal(
      (answer['breakpoint'] as { line: number } | undefined)?.line,
      LINES.length,
      JSON.stringify(answer),
    );
    const several = await call('set_breakpoint', {
      file_path: 'links/secret.env',
      line_content: 'MODE',
    });
    assert.deepEqual(
      (several['candidates'] as { line: number }[] | undefined)?.map((each) => each.line),
      [3, 4],
      JSON.stringify(several),
    );
  });

  it('are quoted to an MCP client with mcp.confirm only after the person has confirmed in VS Code', async () => {
    const settings = vscode.workspace.getConfiguration('agentDebugger');
    const asked: string[] = [];
    const { options } = inside.confirmation;
    const before = options.ask;
    await settings.update('mcp.confirm', true, vscode.ConfigurationTarget.Global);
    try {
      for (const [answer, code] of [
        ['declined', 'declined_by_person'],
        ['allowed', undefined],
      ] as const) {
        options.ask = async ({ message }) => {
          asked.push(message);
          return answer;
        };
        const found = await use('set_breakpoint', {
          file_path: inWorkspace('links/secret.env'),
          line_content: 'PASSPHRASE',
        });
        assert.equal(found['code'], code, JSON.stringify(found));
      }
      assert.equal(asked.length, 2);
      for (const each of asked) {
        assert.match(each, /outside the workspace/);
        assert.ok(each.replaceAll('\u200b', '').includes(path.join(outside, 'secret.env')), each);
        assert.ok(!each.includes(SECRET));
      }
    } finally {
      options.ask = before;
      await settings.update('mcp.confirm', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('are shown if the debugger has named them', async () => {
    const program = path.join(outside, 'program.js');
    writeFileSync(program, 'const a = 1;\ndebugger;\nconsole.log(a);\n');
    const stop = await use('start_debugging', { program, type: 'node' });
    assert.equal(stop.status, 'stopped', JSON.stringify(stop));
    assert.match(JSON.stringify(stop['stop_event_data']), />2 debugger;/);
    const set = await use('set_breakpoint', { file_path: program, line_content: 'console.log(a)' });
    assert.equal((set['breakpoint'] as { line: number } | undefined)?.line, 3, JSON.stringify(set));
  });
});
