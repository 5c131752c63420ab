import { MAX_TESTS } from '../scan/nesting';
import type { ScannedTest } from '../testFramework';

interface Opened {
  readonly kind: ScannedTest['kind'];
  readonly name: string;
  readonly line: number;
  readonly indent: number;
  readonly isTemplate: boolean;
}

const SUITE = /^(?:class|module)\s+([A-Z][\w:]*)/;
const METHOD = /^def\s+(test_\w+[?!]?)/;
const CALL =
  /^(?:RSpec\.)?[fx]?(?:describe|context|feature|test|it|specify|example|scenario)\b[\s(]*/;
const GROUPS = /^(?:RSpec\.)?[fx]?(?:describe|context|feature)/;
/** The names of a group or a test: a text or a constant, and for groups a second text. */
const NAMES = /^(?:"([^"\n]*)"|'([^'\n]*)'|([A-Z][\w:]*))(?:\s*,\s*(?:"([^"\n]*)"|'([^'\n]*)'))?/;

/**
 * Finds tests of minitest and RSpec, and the groups around them. The end of a block is told by the indentation, which
 * Ruby's formatters all write in the same way.
 */
export function scanRuby(text: string): readonly ScannedTest[] {
  const found: ScannedTest[] = [];
  const open: Opened[] = [];
  let last = 0;
  const close = (indent: number, line: number, isEnd: boolean): void => {
    for (let top = open.at(-1); top !== undefined && indent <= top.indent; top = open.at(-1)) {
      const endLine = isEnd && indent === top.indent ? line : Math.max(last, top.line);
      found.push(scanned(open, endLine));
      open.pop();
    }
  };
  for (const [index, whole] of text.split(/\r?\n/).entries()) {
    const code = whole.trimStart();
    if (code === '' || code.startsWith('#')) continue;
    const indent = whole.length - code.length;
    close(indent, index + 1, /^(?:end\b|\})/.test(code));
    const opened = openedBy(code);
    if (opened !== undefined && found.length < MAX_TESTS)
      open.push({ ...opened, line: index + 1, indent });
    last = index + 1;
  }
  close(-1, last, false);
  return found.sort((left, right) => left.line - right.line);
}

function scanned(open: readonly Opened[], endLine: number): ScannedTest {
  const { kind, line } = open.at(-1) ?? { kind: 'test', line: 0 };
  return {
    ...{ kind, line, endLine },
    path: open.map(({ name }) => name),
    isTemplate: open.some(({ isTemplate }) => isTemplate),
  };
}

function openedBy(code: string): Pick<Opened, 'kind' | 'name' | 'isTemplate'> | undefined {
  const suite = SUITE.exec(code)?.[1];
  if (suite !== undefined) return { kind: 'suite', name: suite, isTemplate: false };
  const method = METHOD.exec(code)?.[1];
  if (method !== undefined) return { kind: 'test', name: method, isTemplate: false };
  const call = CALL.exec(code);
  if (call === null) return undefined;
  const name = NAMES.exec(code.slice(call[0].length));
  if (name === null) return undefined;
  const parts = [name[1] ?? name[2] ?? name[3] ?? '', name[4] ?? name[5] ?? ''];
  const joined = parts.filter((part) => part !== '').join(' ');
  return {
    kind: GROUPS.test(code) ? 'suite' : 'test',
    name: joined,
    isTemplate: joined.includes('#{'),
  };
}
