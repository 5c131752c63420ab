import { strict as assert } from 'node:assert';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { RecordedHit } from '../../../../../src/recording/recordedRows';
import { estimatedTokens } from '../../../../../src/tools/live/writer/answerSize';
import type { Link } from '../../../../../src/tools/live/writer/chain';
import type { FirstStop } from '../../../../../src/tools/live/writer/firstStop';
import { planProbes } from '../../../../../src/tools/live/writer/plannedProbes';
import { expressionsFor } from '../../../../../src/tools/live/writer/probeExpressions';
import { pythonWrites } from '../../../../../src/tools/live/writer/pythonWrites';
import { writerReport } from '../../../../../src/tools/live/writer/writerReport';
import { readPath } from '../../../../../src/tools/live/writer/valuePath';
import { bench } from '../../../support/services';

const PATH = '/home/ada/app/reporting/monthly_statement_builder.py';
const LINE =
  'statement.totals[currency_code] = statement.totals.get(currency_code, Decimal("0.00")) + convert_amount(entry.amount, entry.currency, currency_code, on=entry.booked_at)';

/** Values as programs have them: objects, numbers, texts, and texts in Chinese. */
const VALUES: readonly string[] = [
  '{' +
    Array.from({ length: 60 }, (_, at) => `'item_${at}': <Line price=${at}.25, count=2>`).join(
      ', ',
    ) +
    '}',
  '[' + Array.from({ length: 300 }, (_, at) => String(((at * 7919) % 9973) / 100)).join(', ') + ']',
  `'${'The quick brown fox jumps over the lazy dog. '.repeat(20)}'`,
  `'${'订单的总金额与明细不一致，请检查折扣。'.repeat(40)}'`,
  '[' + '{"a":[],"b":{}},'.repeat(80) + ']',
];

/** An answer whose every part is as long as it may be. */
function longLink(value: string, sure: 'seen' | 'ambiguous', id: number): Link {
  const expression = 'statement.totals[currency_code].breakdown_by_category["household"]';
  const asked = readPath('o.k');
  const shown = readPath(expression);
  assert.ok(asked !== undefined && shown !== undefined);
  const source = pythonWrites(Array.from({ length: 6 }, () => 'o.k = 1').join('\n'));
  const probes = planProbes({
    ...{ asked, language: 'python', facts: { isMutable: true }, names: [], scope: undefined },
    place: { path: PATH, line: 9 },
    writes: source.writes.map((write) => ({ path: PATH, write })),
    expressions: expressionsFor('python', 'kept'),
  });
  const hit = (point: number, values: readonly string[]): RecordedHit => ({
    ...{ point, values, seq: 1, pid: 1, thread: 'MainThread', depth: 3, activation: 1 },
    ...{ caller: undefined, stopped: false, locals: undefined, claim: undefined, stack: undefined },
  });
  const hits = [
    ...probes.candidates.map(({ point }) => hit(point, ['77', value, value])),
    hit(probes.place, [value, '77', '77']),
  ];
  const [candidate] = probes.candidates;
  const [first] = hits;
  assert.ok(candidate !== undefined && first !== undefined);
  const frame = { id: 1, name: 'build_monthly_statement', path: PATH, line: 120 };
  const frames = Array.from({ length: 8 }, () => ({
    ...{ ...frame, column: 1, subtle: false, isLabel: false, sourceName: undefined },
    instructionPointerReference: undefined,
  }));
  const [top] = frames;
  assert.ok(top);
  const stop: FirstStop = {
    ...{ asked: shown, facts: { isMutable: true }, path: PATH, frame: { ...top, id: 2 }, frames },
    ...{ names: [], read: hit(1, [value]), files: [PATH] },
  };
  const write = { candidate, index: 0, hit: first, before: value, by: 'owner' } as const;
  const differs = { what: expression, at: `${PATH}:12`, first: value, again: value };
  const inputs = Array.from({ length: 5 }, (_, at) => ({
    program: { name: 'app', type: 'debugpy', plan: PLAN, shown: PLAN },
    stop: { ...stop, asked: { ...shown, expression: `${expression}[${at}]` } },
    caller: () => Promise.resolve([]),
  }));
  return {
    ...{ id: `w${id}`, inputs, followed: undefined },
    found: {
      ...{ stop, probes, hits, moment: hits.length - 1, differs: undefined, runs: 2 },
      choice: { kind: 'written', write },
      confirmed: {
        kind: 'confirmed',
        ...{ differs, frames, before: value, after: value, place: undefined, isSameObject: true },
        ...{ inputs: { stops: [], copied: undefined }, passed: [] },
      },
      verdict: {
        sure,
        why: Array.from({ length: 4 }, () => `Something was in doubt: ${value.slice(0, 100)}.`),
      },
      searched: Array.from({ length: 12 }, () => PATH),
      unread: [PATH],
    },
  };
}

const PLAN = {
  ...{ name: 'app', folderPath: undefined, launches: [], isCompound: false, task: undefined },
  ...{ stopAll: false, shown: undefined, isMadeUp: false, overridden: [] },
};

describe('the size of an answer of find_writer', () => {
  for (const [sure, steps] of [
    ['seen', 1],
    ['seen', 5],
    ['ambiguous', 1],
  ] as const)
    it(`is at most 400 tokens: ${sure}, ${steps} steps`, async () => {
      const on = bench();
      on.workspace.files.set(PATH, Array.from({ length: 130 }, () => LINE).join('\n'));
      for (const value of VALUES) {
        const rest = Array.from({ length: steps - 1 }, (_, at) => longLink(value, 'seen', at + 13));
        const links = [longLink(value, sure, 12), ...rest] as const;
        const end = 'Several values were read: pass one of inputs as expression.';
        const text = JSON.stringify(await writerReport(on.services, { links, end }));
        const tokens = countTokens(text);
        assert.ok(tokens <= 400, `${tokens} tokens: ${text}`);
        assert.ok(tokens > 100, 'an answer that says something');
      }
    });

  it('is estimated to be as large as it is, or larger', () => {
    for (const value of [...VALUES, LINE, JSON.stringify({ at: PATH, code_line: LINE })]) {
      const real = countTokens(value.slice(0, 1000));
      const estimated = estimatedTokens(value.slice(0, 1000));
      assert.ok(estimated >= real * 0.95, `${estimated} for ${real}: ${value.slice(0, 60)}`);
      assert.ok(estimated <= real * 2.5, `${estimated} for ${real}: ${value.slice(0, 60)}`);
    }
  });
});
