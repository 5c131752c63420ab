import { strict as assert } from 'node:assert';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ToolSet } from '../../../src/tools/defineTool';
import type { DebuggerOffers } from '../../../src/editor/debuggerOffers';
import type { RecordedValues } from '../../../src/editor/recorded/recordedValues';
import type { DebugModel } from '../../../src/debugger/state/debugModel';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import { FOUNDING } from '../../support/foundingDocuments';
import { markedLine } from '../../support/markers';
import type { Answer } from './stopData';

export { stopOf, variable, type Answer, type StopData, type VariableData } from './stopData';

/** Calls a tool like any caller inside VS Code, and reads the result as that caller receives it. */
export async function call(
  name: string,
  input?: unknown,
  token?: vscode.CancellationToken,
): Promise<Answer> {
  const options = {
    input,
    toolInvocationToken: undefined,
  } as vscode.LanguageModelToolInvocationOptions<object>;
  const result = await vscode.lm.invokeTool(name, options, token);
  const texts = result.content.flatMap((part) =>
    part instanceof vscode.LanguageModelTextPart ? [part.value] : [],
  );
  assert.equal(texts.length, 1, 'a result is one text');
  const answer = JSON.parse(texts[0] ?? '') as Answer;
  assertValid(name, answer);
  return answer;
}

/** Asserts that an answer matches the founding documents and the tool's own schema, and fits the budget. */
function assertValid(name: string, answer: Answer): void {
  const answerText = JSON.stringify(answer);
  const founding = FOUNDING[name]?.safeParse(answer);
  assert.ok(
    founding === undefined || founding.success,
    `${name} against the founding documents: ${founding?.error?.message ?? ''}\n${answerText}`,
  );
  const own = ALL_TOOLS.find((tool) => tool.name === name)?.output.safeParse(answer);
  assert.ok(
    own?.success,
    `${name} against its schema: ${own?.error?.message ?? ''}\n${answerText}`,
  );
  assert.ok(answerText.length <= 7500, `${name}: ${answerText.length} characters`);
}

interface Inside {
  model: DebugModel;
  activationMilliseconds: number;
  storage: string;
  exposed: { use(sets: Iterable<ToolSet>): void };
  debuggerOffers: DebuggerOffers;
  recordedValues: RecordedValues;
}

/** Turns the tool set `live` on or off. */
export async function switchLive(on: boolean): Promise<void> {
  const { exposed } = await insideExtension();
  exposed.use(on ? ['core', 'trace', 'live'] : ['core', 'trace']);
}

/** Turns the tool set `advanced` on or off. */
export async function switchAdvanced(on: boolean): Promise<void> {
  const { exposed } = await insideExtension();
  exposed.use(on ? ['core', 'trace', 'advanced'] : ['core', 'trace']);
}

/** Activates the extension, and returns the parts that only tests use. */
export async function insideExtension(): Promise<Inside> {
  const extension = vscode.extensions.getExtension<Inside>('agent-debugger.agent-debugger');
  assert.ok(extension, 'the extension is installed');
  return await extension.activate();
}

/** Resolves when the condition holds, for the model or for other state. @throws if it does not hold in 90 s */
export async function until(
  condition: (model: DebugModel) => boolean,
  what: string,
): Promise<void> {
  const { model } = await insideExtension();
  const settled = await model.wait(() => condition(model) || undefined, {
    // Only what never happens takes as long, also on a busy machine.
    timeoutMs: 240_000,
    signal: new AbortController().signal,
  }).settled;
  assert.equal(settled.kind, 'found', `never happened: ${what}`);
}

export function errorOf(answer: Answer, code: string): { message: string; hint: string } & Answer {
  assert.equal(answer.status, 'error', JSON.stringify(answer));
  assert.equal(answer['code'], code, JSON.stringify(answer));
  assert.ok(answer['message'], 'an error says what happened');
  assert.ok(answer['hint'], 'an error says what to do next');
  return answer as { message: string; hint: string } & Answer;
}

/** The path of a file in the workspace that the test runs in. */
export function inWorkspace(file: string): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, 'the suite runs with a folder');
  return path.join(folder.uri.fsPath, file);
}

/** The 1-based line that contains `marker: name`. */
export function marked(file: string, name: string): number {
  return markedLine(inWorkspace(file), name);
}

/** Starts the endless server program, and returns when it runs, also on a slow machine. */
export async function startServer(): Promise<void> {
  const answer = await call('start_debugging', {
    configuration_name: 'Server',
    timeout_seconds: 1,
  });
  assert.equal(answer.status, 'timeout', JSON.stringify(answer));
  await until(
    (model) =>
      [...model.state.sessions.values()].some(
        (each) => each.lifecycle === 'running' && each.threads.size > 0,
      ),
    'the program runs',
  );
}

/** How often `cleanUp` asks for the end of a session before it fails. A start may still be under way at the first. */
const ENDS = 8;

/** Ends all sessions and removes all breakpoints, the person's included: between tests only. */
export async function cleanUp(): Promise<void> {
  vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
  const asked = new Map<string, number>();
  for (;;) {
    const state = await call('get_debug_state', {});
    const live = (
      state['sessions'] as { session_id: string; state: string; parent?: string }[]
    ).filter((each) => each.state !== 'terminated' && each.parent === undefined);
    const [first] = live;
    if (first === undefined) return;
    const times = (asked.get(first.session_id) ?? 0) + 1;
    asked.set(first.session_id, times);
    const answer = await call('stop_debugging', { session_id: first.session_id });
    assert.ok(times < ENDS, `a session did not end: ${JSON.stringify([answer, first])}`);
  }
}
