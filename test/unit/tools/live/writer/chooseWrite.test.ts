import { strict as assert } from 'node:assert';
import type { RecordedHit, RecordedValue } from '../../../../../src/recording/recordedRows';
import { assignmentAround } from '../../../../../src/tools/live/writer/assignmentAround';
import {
  chooseWrite,
  seenCandidates,
  type Choice,
} from '../../../../../src/tools/live/writer/chooseWrite';
import type { Confirmation } from '../../../../../src/tools/live/writer/confirmWrite';
import { NO_INPUTS } from '../../../../../src/tools/live/writer/inputs';
import { planProbes, type PlannedProbes } from '../../../../../src/tools/live/writer/plannedProbes';
import { expressionsFor } from '../../../../../src/tools/live/writer/probeExpressions';
import { pythonWrites } from '../../../../../src/tools/live/writer/pythonWrites';
import { firstDifference, sameMoments } from '../../../../../src/tools/live/writer/sameRuns';
import { readPath } from '../../../../../src/tools/live/writer/valuePath';
import { judgeWrite, type Known } from '../../../../../src/tools/live/writer/verdict';

const PATH = '/w/a.py';

/** The probes for an expression at a line of a Python file. */
function plan(
  expression: string,
  lines: readonly string[],
  line: number,
  { isMutable = false, names = [] }: { isMutable?: boolean; names?: readonly string[] } = {},
): PlannedProbes {
  const asked = readPath(expression);
  assert.ok(asked, expression);
  const source = pythonWrites(lines.join('\n'));
  return planProbes({
    ...{ asked, language: 'python', facts: { isMutable }, names },
    scope: asked.kind === 'variable' ? source.scopeOf(asked.name, line) : undefined,
    place: { path: PATH, line },
    writes: source.writes.map((write) => ({ path: PATH, write })),
    expressions: expressionsFor('python', 'kept'),
  });
}

let seq = 0;
function hit(
  point: number,
  values: readonly RecordedValue[],
  more: Partial<RecordedHit> = {},
): RecordedHit {
  seq += 1;
  return {
    ...{ point, values, seq, pid: 1, thread: 'MainThread', depth: 3, activation: 1 },
    ...{ caller: undefined, stopped: false, locals: undefined, claim: undefined, stack: undefined },
    ...more,
  };
}

/** The id of the point at a line that watches a candidate. */
function pointAt({ candidates }: PlannedProbes, line: number): number {
  const found = candidates.find(({ write }) => write.line === line);
  assert.ok(found, `a candidate at line ${line}`);
  return found.point;
}

function lineOf(choice: Choice): number | undefined {
  return choice.kind === 'written' ? choice.write.candidate.write.line : undefined;
}

const MEMBERS = ['a.k = 1', 'b.k = 2', 'c[0].k = 3', 'd.update(k=4)', 'print(o.k)'];

describe('the last write of a member', () => {
  const probes = plan('o.k', MEMBERS, 5);
  const [a, b] = [pointAt(probes, 1), pointAt(probes, 2)];
  const place = hit(probes.place, ['2', '77']);

  it('is the last one that saw the same object, under any name', () => {
    const choice = chooseWrite(
      [hit(a, ['77', '0']), hit(b, ['77', '1']), hit(a, ['66', '0']), place],
      3,
      probes,
    );
    assert.equal(lineOf(choice), 2);
    assert.ok(choice.kind === 'written');
    assert.deepEqual([choice.write.before, choice.write.by, choice.write.index], ['1', 'owner', 1]);
  });

  it('is none if only other objects were changed', () => {
    assert.equal(chooseWrite([hit(a, ['66', '0']), place], 1, probes).kind, 'none');
    assert.equal(chooseWrite([place, hit(a, ['77', '0'])], 0, probes).kind, 'none');
  });

  it('is that of the class that has it, if the object itself does not', () => {
    const from = hit(probes.place, ['2', '77', '55']);
    const choice = chooseWrite([hit(a, ['66', '0']), hit(b, ['55', '1']), from], 2, probes);
    assert.ok(choice.kind === 'written');
    assert.deepEqual([lineOf(choice), choice.write.by], [2, 'holder']);
  });

  it('is unclear if a later line changes what could not be seen', () => {
    const blind = hit(pointAt(probes, 3), [{ error: 'IndexError' }, { error: 'IndexError' }]);
    const choice = chooseWrite([hit(a, ['77', '0']), blind, place], 2, probes);
    assert.ok(choice.kind === 'unclear');
    assert.equal(choice.known?.candidate.write.line, 1);
    const [first] = seenCandidates([hit(a, ['77', '0']), blind, place], 2, probes);
    assert.deepEqual([first?.candidate.write.line, first?.saw, first?.hits], [3, 'unknown', 1]);
  });

  it('is not a call that left the value as it was', () => {
    const update = pointAt(probes, 4);
    const without = chooseWrite([hit(a, ['77', '0']), hit(update, ['77', '2']), place], 2, probes);
    assert.equal(lineOf(without), 1);
    const changing = chooseWrite([hit(a, ['77', '0']), hit(update, ['77', '1']), place], 2, probes);
    assert.equal(lineOf(changing), 4);
  });
});

describe('the last write of an element', () => {
  const probes = plan('rows[3]', ['for i in x: rows[i] = 0', 'print(rows)'], 2);
  const write = probes.candidates.find(({ key }) => key !== undefined);
  assert.ok(write);
  const at = (key: RecordedValue): RecordedHit => hit(write.point, ['77', key, '9']);
  const place = hit(probes.place, ['0', '77']);

  it('is the one with the same key', () => {
    const choice = chooseWrite([at('2'), at('3'), at('4'), place], 3, probes);
    assert.ok(choice.kind === 'written');
    assert.equal(choice.write.index, 1);
  });

  it('may be one with a negative index, and is unclear if a key could not be read', () => {
    const negative = chooseWrite([at('3'), at('-1'), place], 2, probes);
    assert.ok(negative.kind === 'written');
    assert.equal(negative.write.index, 1);
    const unread = chooseWrite([at('3'), at({ error: 'NameError' }), place], 2, probes);
    assert.equal(unread.kind, 'unclear');
  });
});

describe('the last write of a variable', () => {
  const lines = ['def f(n):', '    x = n', '    if n: f(n - 1)', '    print(x)'];
  const probes = plan('x', lines, 4);
  const point = pointAt(probes, 2);

  it('is in the same call', () => {
    const place = hit(probes.place, ['1'], { depth: 3, activation: 1 });
    const hits = [
      hit(point, [{ error: 'NameError' }], { depth: 3, activation: 1 }),
      hit(point, [{ error: 'NameError' }], { depth: 4, activation: 2 }),
      hit(point, [{ error: 'NameError' }], { depth: 3, activation: 1, thread: 'Thread-2' }),
      place,
    ];
    const choice = chooseWrite(hits, 3, probes);
    assert.ok(choice.kind === 'written');
    assert.equal(choice.write.index, 0);
    assert.equal(chooseWrite(hits.slice(1), 2, probes).kind, 'none');
  });

  it('may be a change of the object that it has, under another name', () => {
    const mutable = plan('x', ['def g(y):', '    y.append(1)', ...lines], 6, { isMutable: true });
    const change = hit(pointAt(mutable, 2), ['55', '[]'], { depth: 9 });
    const place = hit(mutable.place, ['[1]', '55']);
    const choice = chooseWrite([hit(pointAt(mutable, 4), ['0']), change, place], 2, mutable);
    assert.ok(choice.kind === 'written');
    assert.deepEqual([choice.write.by, choice.write.before], ['value', '[]']);
  });

  it('is unclear in a closure', () => {
    const inner = ['def f():', '    x = 1', '    def g():', '        return x', '    return g'];
    const closure = plan('x', inner, 4);
    const choice = chooseWrite(
      [hit(pointAt(closure, 2), ['0']), hit(closure.place, ['1'])],
      1,
      closure,
    );
    assert.equal(choice.kind, 'unclear');
  });
});

describe('a line that assigns when its call has returned', () => {
  const lines = ['def f(o):', '    o.append(1)', '    return o', 'x = f(y)', 'print(x)'];
  const probes = plan('x', lines, 5, { isMutable: true });
  const [inner, outer] = [pointAt(probes, 2), pointAt(probes, 4)];
  const frames = [2, 4].map((line) => ({ path: PATH, line }));
  const started = hit(outer, [{ error: 'NameError' }]);
  const changed = hit(inner, ['77', '[]'], { depth: 4, activation: 2 });
  const hits = [started, changed, hit(probes.place, ['[1]', '77'])];
  const choice = chooseWrite(hits, 2, probes);
  assert.ok(choice.kind === 'written');
  const chosen = { write: choice.write, hits, moment: 2, probes };

  it('is the later write, if the stack shows that it made the call', () => {
    assert.equal(lineOf(choice), 2);
    const around = assignmentAround(frames, chosen);
    assert.deepEqual([around?.candidate.write.line, around?.index], [4, 0]);
  });

  it('is none, if the change was made by another line', () => {
    assert.equal(assignmentAround([{ path: PATH, line: 2 }], chosen), undefined);
    const other = [frames[0] ?? { path: PATH, line: 2 }, { path: PATH, line: 5 }];
    assert.equal(assignmentAround(other, chosen), undefined);
  });
});

describe('a further run', () => {
  const probes = plan('o.k', MEMBERS, 5, { names: ['n', 'seed'] });
  const stop = hit(1, ['2', '1', '7', '0.5']);

  it('is at the moment of the stop if the value and the variables are the same', () => {
    const hits = [
      hit(probes.place, ['2', '9', '6', '0.5']),
      hit(probes.place, ['2', '9', '7', '0.5']),
      hit(probes.place, ['2', '9', '8', '0.5']),
    ];
    assert.deepEqual(sameMoments(hits, stop, probes), { found: [1], differs: undefined });
  });

  it('is at the hit with the same number, if several are like the stop', () => {
    const hits = [1, 2, 3].map(() => hit(probes.place, ['2', '9', '7', '0.5']));
    assert.deepEqual(sameMoments(hits, stop, probes).found, [0, 1, 2]);
    assert.deepEqual(sameMoments(hits, stop, probes, 2).found, [1]);
    // The hit with this number has other values, so it is not the same moment.
    const other = [hit(probes.place, ['3', '9', '7', '0.5']), ...hits];
    assert.deepEqual(sameMoments(other, stop, probes, 1).found, [1, 2, 3]);
  });

  it('says what differs in the moment that is most like it', () => {
    const hits = [
      hit(probes.place, ['3', '9', '6', '0.4']),
      hit(probes.place, ['2', '9', '7', '0.4']),
    ];
    const { found, differs } = sameMoments(hits, stop, probes);
    assert.deepEqual(found, []);
    assert.deepEqual(differs, { what: 'seed', first: '0.5', again: '0.4' });
  });

  it('is compared with the one before at all hits, without identities', () => {
    const a = pointAt(probes, 1);
    const one = [hit(a, ['77', '0']), hit(a, ['77', '1'])];
    assert.equal(
      firstDifference(one, [hit(a, ['66', '0']), hit(a, ['66', '1'])], probes),
      undefined,
    );
    const other = firstDifference(one, [hit(a, ['66', '0']), hit(a, ['66', '5'])], probes);
    assert.deepEqual([other?.first, other?.again, other?.at], ['1', '5', `${PATH}:1`]);
    assert.equal(firstDifference(one, [hit(a, ['66', '0'])], probes)?.again, 'not reached');
    const order = firstDifference(one, [hit(pointAt(probes, 2), ['66', '0'])], probes);
    assert.equal(order?.what, 'order of lines');
  });
});

describe('how sure an answer is', () => {
  const probes = plan('o.k', MEMBERS, 5);
  const place = hit(probes.place, ['2', '77']);
  const choice = chooseWrite([hit(pointAt(probes, 1), ['77', '1']), place], 1, probes);
  const seen: Confirmation = {
    kind: 'confirmed',
    ...{ differs: undefined, frames: [], before: '1', after: '2', place, isSameObject: true },
    ...{ inputs: NO_INPUTS, passed: [] },
  };
  const known: Known = {
    ...{ value: '2', differs: undefined, gaps: [], isAnyOfSeveral: false, choice },
    confirmed: seen,
  };
  const sure = (more: Partial<Known>): string => judgeWrite({ ...known, ...more }).sure;
  const confirmed = (more: Partial<Confirmation>): string =>
    sure({ confirmed: { ...seen, ...more } });

  it('is seen only if nothing is in doubt', () => {
    assert.deepEqual(judgeWrite(known), { sure: 'seen', why: [] });
    const differs = { what: 'seed', first: '1', again: '2' };
    assert.equal(sure({ differs }), 'ambiguous');
    assert.equal(sure({ gaps: ['lost'] }), 'ambiguous');
    assert.equal(sure({ isAnyOfSeveral: true }), 'ambiguous');
    assert.equal(sure({ confirmed: undefined }), 'ambiguous');
    assert.equal(confirmed({ differs }), 'ambiguous');
    assert.equal(confirmed({ isSameObject: false }), 'ambiguous');
    assert.equal(confirmed({ place: undefined }), 'ambiguous');
    assert.equal(confirmed({ place: hit(probes.place, ['3', '77']) }), 'ambiguous');
    assert.equal(confirmed({ after: '5' }), 'ambiguous');
  });

  it('is agreed if the change itself was not seen', () => {
    assert.equal(confirmed({ after: undefined }), 'agreed');
    assert.equal(confirmed({ before: '2' }), 'agreed');
  });

  it('is ambiguous for values of which only a part is known', () => {
    const part = '[1, 2, … 9 more]';
    const same = { ...seen, after: part, place: hit(probes.place, [part, '77']) };
    const { sure: how, why } = judgeWrite({ ...known, value: part, confirmed: same });
    assert.equal(how, 'ambiguous');
    assert.match(why.join(' '), /too large/);
  });

  it('is none if no write was seen, unless the run had gaps', () => {
    assert.equal(sure({ choice: { kind: 'none' }, confirmed: undefined }), 'none');
    assert.equal(
      sure({ choice: { kind: 'none' }, confirmed: undefined, gaps: ['lost'] }),
      'ambiguous',
    );
  });

  it('is ambiguous if a later line may have written', () => {
    assert.ok(choice.kind === 'written');
    const unclear: Choice = { kind: 'unclear', unseen: choice.write, known: choice.write };
    assert.equal(sure({ choice: unclear, confirmed: undefined }), 'ambiguous');
  });
});
