import { strict as assert } from 'node:assert';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { fields, listOf } from '../../../src/debugger/protocol';
import { decode } from '../../../src/investigation/events';
import { call, cleanUp, insideExtension, inWorkspace, until, type Answer } from '../support/client';

const RENDERER = 'renderer.js';
const BUG = 'CELL + y * CELL';
const FIX = 'MARGIN + y * CELL';

interface ChunkData {
  readonly id: string;
  readonly title: string;
  readonly metadata: { readonly type: string; readonly files?: readonly string[] };
}

const chunksOf = (answer: Answer): readonly ChunkData[] =>
  listOf(answer['candidateChunks']) as readonly ChunkData[];

/** The text of a file of an investigation, as VS Code opens it. */
async function document(link: unknown): Promise<string> {
  const data = await vscode.workspace.fs.readFile(vscode.Uri.parse(String(link)));
  return new TextDecoder().decode(data);
}

/** Resolves when a file of actions of an investigation contains a text. */
async function recorded(sid: string, text: string): Promise<void> {
  const { storage } = await insideExtension();
  const folder = path.join(storage, 'sessions', sid);
  const isWritten = (): boolean =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /actions[^/]*\.ndjson$/.test(name))
      .some((name) => readFileSync(path.join(folder, name), 'utf8').includes(text));
  await new Promise<void>((resolve) => {
    const watcher = watch(folder, { recursive: true }, () => check());
    const check = (): void => {
      if (!isWritten()) return;
      watcher.close();
      resolve();
    };
    check();
  });
}

describe('the investigation of a game that draws its stones in the wrong place', function () {
  this.timeout(300_000);
  let page: ChildProcess;
  let address = '';
  let sid = '';

  before(async () => {
    const settings = vscode.workspace.getConfiguration('agentDebugger.investigation');
    const everywhere = vscode.ConfigurationTarget.Global;
    await settings.update('browser', process.env['CHROME_PATH'] ?? '/usr/bin/chromium', everywhere);
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic'];
    await settings.update('browserArguments', flags, everywhere);
    const answer = {
      analysis: 'The y axis has the wrong margin.',
      solutions: [
        {
          rationale: 'CELL stands where MARGIN should',
          approach: `${RENDERER}: ${FIX}`,
          confidence: 0.9,
        },
      ],
    };
    const script = `process.stdin.resume().on('end', () => console.log(${JSON.stringify(JSON.stringify(answer))}))`;
    await settings.update('reasoner', 'command', everywhere);
    await settings.update('reasonerCommand', [process.execPath, '-e', script], everywhere);
    await vscode.workspace
      .getConfiguration('agentDebugger.sets')
      .update('investigation', true, everywhere);
    // The window may report the changed setting after the update has ended.
    const { exposed } = await insideExtension();
    exposed.use(['core', 'trace', 'investigation']);
    page = spawn(process.execPath, [inWorkspace('serve.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    assert.ok(page.stdout);
    const [line] = (await once(page.stdout, 'data')) as [Buffer];
    address = line.toString('utf8').trim();
  });

  after(async () => {
    page.kill();
    await cleanUp();
  });

  it('starts', async () => {
    const answer = await call('start_session', { title: 'Stones are drawn beside the crossing' });
    sid = String(answer['sid']);
    assert.match(String(fields(answer['spec'])['system_reminder']), /analyze_capture/);
  });

  it('captures the check in a terminal, and finds the error with its location', async () => {
    const captured = await call('capture_run', { sid, command: 'node check.mjs' });
    assert.equal(captured.status, 'completed', JSON.stringify(captured));
    assert.deepEqual(
      [captured['via'], captured['endedBy'], captured['exitCode']],
      ['terminal', 'exit', 1],
      JSON.stringify(captured),
    );
    const analysed = await call('analyze_capture', { sid });
    const [first] = chunksOf(analysed);
    assert.equal(first?.metadata.type, 'error_window');
    assert.match(first.title, /RangeError: stone 7,7 is drawn at 155,160/);
    assert.match(String(first.metadata.files?.[0]), /^renderer\.js:\d+$/);
    assert.match(await document(analysed['link']), /RangeError/);
    const events = (await document(fields(captured['links'])['capture']))
      .split('\n')
      .slice(0, -1)
      .map(decode);
    assert.ok(
      events.some(
        ({ module, func, kv }) =>
          module === 'renderer.js' && func === 'gridToPixel' && kv['x'] === 7,
      ),
    );
  });

  it('captures the debug configuration, with the exception as an event', async () => {
    const captured = await call('capture_run', { sid, configurationName: 'Check' });
    assert.equal(captured.status, 'completed', JSON.stringify(captured));
    assert.deepEqual(
      [captured['via'], captured['endedBy'], captured['exitCode']],
      ['debugger', 'exit', 1],
      JSON.stringify(captured),
    );
    const text = await document(fields(captured['links'])['capture-2']);
    const events = text.split('\n').slice(0, -1).map(decode);
    const stop = events.find(
      ({ level, kv }) => level === 'error' && kv['call_stack'] !== undefined,
    );
    assert.match(stop?.msg ?? text, /RangeError/);
    assert.ok(events.some(({ msg }) => msg === 'placed'));
  });

  it('captures the page in a real browser: console, requests and actions', async function () {
    const capturing = call('capture_run', {
      sid,
      mode: 'web',
      url: `${address}?demo`,
      screenshots: true,
      timeoutSec: 60,
    });
    await until(
      (model) =>
        [...model.state.sessions.values()].some(
          (session) =>
            session.type.includes('chrome') &&
            model
              .output(session)
              .tail(200)
              .some(({ text }) => text.includes('RangeError')),
        ),
      'the page fails',
    );
    // The page fails in the click itself. The action is written after its picture.
    await recorded(sid, '"click"');
    await vscode.debug.stopDebugging();
    const captured = await capturing;
    assert.equal(captured.status, 'completed', JSON.stringify(captured));
    assert.equal(captured['via'], 'browser', JSON.stringify(captured));
    const links = fields(captured['links']);
    const lines = async (stream: string): Promise<readonly Record<string, unknown>[]> =>
      (await document(links[`${stream}-c3`]))
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const actions = await lines('actions');
    const click = actions.find(({ type }) => type === 'click');
    assert.deepEqual(
      [click?.['selector'], typeof click?.['stepId']],
      ['#board', 'string'],
      JSON.stringify(actions),
    );
    assert.ok(
      (await lines('network')).some(
        ({ url, status }) => String(url).endsWith('/renderer.js') && status === 200,
      ),
    );
    assert.ok(
      (await lines('console')).some(
        ({ type, stack }) => type === 'error' && String(stack).includes('RangeError'),
      ),
    );
    assert.ok(
      Object.keys(links).some((name) => name.endsWith('.png')),
      JSON.stringify(links),
    );
    const [first] = chunksOf(await call('analyze_capture', { sid }));
    assert.match(String(first?.title), /RangeError/);
    assert.match(String(first?.metadata.files?.[0]), /^renderer\.js:\d+$/);
  });

  it('keeps a stop of the debugger as evidence', async () => {
    const started = await call('start_debugging', {
      configuration_name: 'Check',
      breakpoints: [{ file_path: 'renderer.js', line_content: 'throw new RangeError' }],
    });
    assert.equal(started.status, 'stopped', JSON.stringify(started));
    const refused = await call('wait_for_stop', { sid: '260301-zzzz' });
    assert.equal(refused['code'], 'investigation_not_found', JSON.stringify(refused));
    const stop = await call('wait_for_stop', { sid });
    assert.match(String(stop['evidence']), /evidence\/x1-wait_for_stop\.json$/);
    assert.match(await document(stop['evidence']), /RangeError/);
    await call('stop_debugging', {});
  });

  it('records the selected chunks, and runs the reasoner', async () => {
    const analysed = await call('analyze_capture', { sid, captureId: 'c1' });
    const [first] = chunksOf(analysed);
    assert.ok(first);
    await call('clarify', {
      sid,
      answer: { selectedIds: [first.id], notes: 'every stone is too low' },
    });
    const reasoned = await call('reasoner_run', { sid, task: 'propose_patch' });
    assert.equal(
      reasoned['analysis'],
      'The y axis has the wrong margin.',
      JSON.stringify(reasoned),
    );
  });

  it('verifies the fix, and reports it in the summary', async () => {
    const still = await call('verify_run', { sid, captureId: 'c1' });
    assert.equal(still['verdict'], 'still_failing', JSON.stringify(still));
    const file = inWorkspace(RENDERER);
    const text = readFileSync(file, 'utf8');
    assert.ok(text.includes(BUG));
    writeFileSync(file, text.replace(BUG, FIX));
    const fixed = await call('verify_run', { sid, captureId: 'c1' });
    assert.equal(fixed['verdict'], 'fixed', JSON.stringify(fixed));
    const ended = await call('end_session', {
      sid,
      conclusion: 'gridToPixel used CELL as the upper margin.',
    });
    for (const part of [
      'Stones are drawn beside the crossing',
      'gridToPixel used CELL',
      'node check.mjs',
      'fixed',
      'evidence/x1-wait_for_stop.json',
    ])
      assert.ok(String(ended['summary']).includes(part), String(ended['summary']));
    assert.equal(await document(ended['link']), ended['summary']);
  });
});
