import { strict as assert } from 'node:assert';
import { isMereText, mayBeLogged } from '../../../../src/debugger/breakpoints/logMessage';
import {
  isTraceOfLogpoint,
  logpointTest,
} from '../../../../src/debugger/breakpoints/logpointLines';
import { answered, asked, launched, sessionAfter } from '../../support/events';

const FILE = '/app/main.js';

interface Point {
  readonly line: number;
  readonly logMessage?: string;
  /** The line to which its adapter bound it. */
  readonly bound?: number;
}

/** Those of the texts that are taken for a logpoint's, in a session with these points. Undefined if none can be. */
function taken(
  points: readonly Point[],
  output: object,
  texts: readonly string[],
): readonly string[] | undefined {
  const session = sessionAfter([
    ...launched(),
    asked(9, 'setBreakpoints', {
      source: { path: FILE },
      breakpoints: points.map(({ bound: _, ...point }) => point),
    }),
    answered(9, 'setBreakpoints', {
      breakpoints: points.map(({ line, bound = line }, id) => ({
        id,
        verified: true,
        line: bound,
      })),
    }),
  ]);
  const test = logpointTest(session, { ...output });
  return test && texts.filter(test);
}

const at = (line: number, path = FILE) => ({ line, source: { path } });

describe('the output of a logpoint', () => {
  const points = [{ line: 3, logMessage: 'total is {total} now' }];
  const texts = ['total is 3 now', 'total is', 'is', 'hello'];
  const reported = ['total is 3 now', 'total is'];

  it('is recognized by the first fixed text of its message, from its own line', () => {
    assert.deepEqual(taken(points, at(3), texts), reported);
    assert.deepEqual(taken(points, at(3, `file://${FILE}`), texts), reported);
    assert.equal(taken(points, at(4), texts), undefined);
    assert.equal(taken(points, at(3, '/app/other.js'), texts), undefined);
  });

  it('may come from the requested line or from the line to which it was bound', () => {
    const moved = [{ line: 3, bound: 5, logMessage: 'total {x}' }];
    for (const line of [3, 5]) assert.deepEqual(taken(moved, at(line), ['total 1']), ['total 1']);
    assert.equal(taken(moved, at(4), ['total 1']), undefined);
  });

  it('is recognized by fixed text alone, if there is any, when the output names no location', () => {
    assert.deepEqual(taken(points, {}, texts), reported);
    for (const logMessage of ['{total}', ' {a} : {b}', '}'])
      assert.equal(taken([{ line: 3, logMessage }], {}, texts), undefined, logMessage);
    assert.deepEqual(taken([{ line: 3, logMessage: '{a}: {b}' }], {}, ['1: 2']), undefined);
    assert.deepEqual(taken([{ line: 3, logMessage: '{a} to {b}' }], {}, ['1 to 2', '1']), [
      '1 to 2',
    ]);
  });

  it('is any text from its line if its message has no fixed text', () => {
    assert.deepEqual(taken([{ line: 3, logMessage: '{total}' }], at(3), texts), texts);
  });

  it('does not exist if no breakpoint logs', () => {
    assert.equal(taken([{ line: 3 }], at(3), texts), undefined);
    assert.equal(taken([], {}, texts), undefined);
  });
});

describe('a failing logpoint of js-debug', () => {
  it('prints a trace whose lines are distinguished from the program’s', () => {
    assert.deepEqual(
      [
        '    at eval (logpoint-0a1b.cdp:1:1)',
        "'    at logpoint-0a1b.cdp:1:1\\n' +",
        '    at main (/app/main.js:3:1)',
        'logpoint-0a1b.cdp:1',
        'x at logpoint-0a1b.cdp:1',
      ].map(isTraceOfLogpoint),
      [true, true, false, false, false],
    );
  });
});

describe('a log message', () => {
  it('is plain text if it has no brace that one of its debuggers could evaluate', () => {
    assert.equal(isMereText('hello', ['pwa-node']), true);
    assert.equal(isMereText('hello {x}', ['pwa-node']), false);
    assert.equal(isMereText('hello', []), false);
    assert.equal(isMereText('hello', ['pwa-node', 'unknown']), false);
  });

  it('may have printed a text that contains its longest fixed part', () => {
    const printed = (text: string): boolean => mayBeLogged(text, 'x={x}, the total is {total}\nok');
    assert.equal(printed('x=1, the total is 3'), true);
    assert.equal(printed(', the total is'), true);
    assert.equal(printed('x=1, total 3'), false);
    assert.equal(mayBeLogged('anything', '{x}'), true);
    assert.equal(mayBeLogged('second', 'a\r\nsecond'), true);
  });
});
