import * as vscode from 'vscode';
import { call, inWorkspace, marked } from '../host/support/client';
import { stopOf, type Answer, type StopData } from '../host/support/stopData';

const ALL_LANGUAGES = [
  { name: 'Node', type: 'node', work: 'work.js' },
  { name: 'Python', type: 'debugpy', work: 'work.py' },
] as const;

export type Language = (typeof ALL_LANGUAGES)[number];

/** The selection on the command line: parts, languages, or both; empty for all. */
export const WANTED: readonly string[] = (process.env['AGENT_DEBUGGER_BENCH_SELECTED'] ?? '')
  .split(' ')
  .filter((each) => each !== '')
  .map((each) => each.toLowerCase());

/** The selected languages; all of them if none is selected. */
export function wanted<T extends { readonly name: string }>(all: readonly T[]): readonly T[] {
  const named = all.filter(({ name }) => WANTED.includes(name.toLowerCase()));
  return named.length > 0 ? named : all;
}

/** The languages to measure. The fixture's configurations are named by their debug type. */
export const LANGUAGES: readonly Language[] = wanted(ALL_LANGUAGES);

/** Prints the current measurement for a person who waits. */
export function progress(what: string): void {
  console.error(`… ${what}`);
}

/** The text of a tool's answer as VS Code passes it to a model, without any check. */
export async function answerText(name: string, input: object): Promise<string> {
  const options = {
    input,
    toolInvocationToken: undefined,
  } as vscode.LanguageModelToolInvocationOptions<object>;
  const { content } = await vscode.lm.invokeTool(name, options);
  const [part] = content;
  if (!(part instanceof vscode.LanguageModelTextPart)) throw new Error(`${name}: no text`);
  return part.value;
}

/** Stops in the function with ten locals of mixed types and a stack of five own frames. */
export async function stopInWork(language: Language): Promise<StopData> {
  await call('set_breakpoint', {
    file_path: inWorkspace(language.work),
    line_number: marked(language.work, 'start'),
  });
  const stop = stopOf(
    await call('start_debugging', { configuration_name: `Work ${language.type}` }),
  );
  await call('remove_breakpoint', { clear_all: true });
  return stop;
}

/** Stops in a program that is large in one way. */
export async function stopInLarge(language: Language, kind: string, size = 0): Promise<StopData> {
  const inputs = { kind, size: String(size) };
  return stopOf(
    await call('start_debugging', {
      configuration_name: `Large ${language.type}`,
      inputs,
      timeout_seconds: 120,
    }),
  );
}

export function stopIn(text: string): StopData {
  return stopOf(JSON.parse(text) as Answer);
}
