import { pathOf } from '../../results/stackText';
import { defined } from '../../util/defined';
import type { Outcome, ReportedError, ReportedTest } from '../runReport';

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  failure: 'failed',
  error: 'failed',
  warning: 'failed',
  skipped: 'skipped',
};
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" },
};
const PLACE = /^((?:\/|[A-Za-z]:[\\/]).*):(\d+)$/;
/** The words around the values of assertions, as PHPUnit writes them. */
const ASSERTED = 'Failed asserting that ';
const COMPARED = / (?:is identical to|matches expected|is equal to) /g;

interface Case {
  readonly attributes: ReadonlyMap<string, string>;
  outcome: Outcome;
  error?: ReportedError;
  output?: string;
}

/** Reads the tests of a report in JUnit's format, as `phpunit --log-junit` writes it. It reads the text once. */
export function readJUnitXml(xml: string): readonly ReportedTest[] {
  const tests: ReportedTest[] = [];
  let open: Case | undefined;
  for (let at = xml.indexOf('<'); at !== -1;) {
    const end = xml.indexOf('>', at);
    if (end === -1) break;
    const tag = xml.slice(at + 1, end);
    const next = xml.indexOf('<', end);
    const name = /^\/?[\w-]*/.exec(tag)?.[0] ?? '';
    if (name === 'testcase') open = { attributes: attributesOf(tag), outcome: 'passed' };
    else if (open !== undefined)
      addTo(open, name, tag, xml.slice(end + 1, next === -1 ? end : next));
    if (
      open !== undefined &&
      (name === '/testcase' || (name === 'testcase' && tag.endsWith('/')))
    ) {
      tests.push(testOf(open));
      open = undefined;
    }
    at = next;
  }
  return tests;
}

function addTo(test: Case, name: string, tag: string, text: string): void {
  const outcome = OUTCOMES[name];
  if (name === 'system-out') test.output = decoded(text);
  if (outcome === undefined) return;
  test.outcome = outcome;
  if (outcome !== 'skipped')
    test.error = errorOf(attributesOf(tag).get('type'), decoded(text), name === 'failure');
}

function attributesOf(tag: string): ReadonlyMap<string, string> {
  return new Map(
    [...tag.matchAll(/(?<![\w-])([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      decoded(value),
    ]),
  );
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-fA-F]+)|(\w+));/g, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return ENTITIES[name] ?? whole;
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}

function testOf({ attributes, outcome, error, output }: Case): ReportedTest {
  const type = attributes.get('class') ?? '';
  const time = Number(attributes.get('time'));
  return {
    outcome,
    path: [...type.split('\\').slice(-1), attributes.get('name') ?? ''],
    requested: 'test',
    ...defined({
      file: attributes.get('file'),
      line: Number(attributes.get('line')) || undefined,
      durationMs: Number.isFinite(time) ? time * 1000 : undefined,
      error,
      output: output?.split('\n'),
    }),
  };
}

/** Reads the text of a failure: the test's name, the message, and the places of its own code, innermost first. */
function errorOf(type: string | undefined, text: string, isFailure: boolean): ReportedError {
  const lines = text.trim().split('\n').slice(1);
  const first = lines.findIndex((line) => PLACE.test(line));
  const message = lines
    .slice(0, first === -1 ? undefined : first)
    .join('\n')
    .trim();
  const frames = lines.flatMap((line) => {
    const found = PLACE.exec(line);
    return found === null
      ? []
      : [{ path: pathOf(found[1] ?? ''), line: Number(found[2]), name: '' }];
  });
  const prefix = `${type ?? ''}: `;
  return {
    type: type?.split('\\').at(-1),
    message: !isFailure && message.startsWith(prefix) ? message.slice(prefix.length) : message,
    frames,
    causes: [],
    ...comparedIn(message),
  };
}

/** Returns the values that an assertion has compared. */
function comparedIn(message: string): Pick<ReportedError, 'actual' | 'expected'> {
  for (const line of message.split('\n')) {
    const at = line.endsWith('.') ? line.indexOf(ASSERTED) : -1;
    if (at === -1) continue;
    const values = line.slice(at + ASSERTED.length, -1);
    const between = [...values.matchAll(COMPARED)].at(-1);
    if (between === undefined) continue;
    const { 0: words, index } = between;
    return { actual: values.slice(0, index), expected: values.slice(index + words.length) };
  }
  return {};
}
