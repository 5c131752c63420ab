import { strict as assert } from 'node:assert';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ALL_TOOLS } from '../../../src/tools/catalog';
import type { Tool } from '../../../src/tools/defineTool';
import { runTool } from '../../../src/tools/run';
import { FOUNDING } from '../../support/foundingDocuments';
import type { Bench } from './services';

export type Answer = Record<string, unknown> & { status: string };

export function toolNamed(name: string): Tool {
  const found = ALL_TOOLS.find((each) => each.name === name);
  assert.ok(found !== undefined, name);
  return found;
}

/** Calls a tool like any caller, and checks the rules that apply to every answer. */
export async function ask(
  on: Bench,
  name: string,
  input: object = {},
  maxChars = on.call.maxChars,
): Promise<Answer> {
  const result = await runTool(toolNamed(name), input, on.services, { ...on.call, maxChars });
  const text = JSON.stringify(result);
  const answer = JSON.parse(text) as Answer;
  assertAnswer(name, answer, text, maxChars);
  // Whatever the input or the adapter sends, no answer may be an internal error.
  assert.notEqual(answer['code'], 'internal_error', text);
  return answer;
}

/** Asserts that an answer is well-formed JSON within its budget, and matches the tool's and the founding schemas. */
export function assertAnswer(name: string, answer: Answer, text: string, maxChars: number): void {
  const shown = text.length > 2000 ? `${text.slice(0, 2000)}…` : text;
  assert.ok(
    text.length <= maxChars,
    `${name}: ${text.length} characters, ${maxChars} allowed\n${shown}`,
  );
  // Strict JSON parsers refuse an escaped lone surrogate.
  assert.doesNotMatch(
    text,
    /\\u[dD][89a-fA-F][0-9a-fA-F]{2}/,
    `${name}: no half of a surrogate pair\n${shown}`,
  );
  const own = toolNamed(name).output.safeParse(answer);
  assert.ok(own.success, `${name} against its schema: ${own.error?.message ?? ''}\n${shown}`);
  const founding = FOUNDING[name]?.safeParse(answer);
  assert.ok(
    founding === undefined || founding.success,
    `${name} against the founding documents: ${founding?.error?.message ?? ''}\n${shown}`,
  );
}

/** Collects garbage. @returns the used heap in megabytes */
export function megabytesInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  assert.ok(typeof collect === 'function');
  (collect as () => void)();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
