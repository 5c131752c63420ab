import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { call, cleanUp, marked } from '../support/client';
import { fields, listOf } from '../../../src/debugger/protocol';
import { assertNothingLeft, compileNative, trace } from './tracing';

const FILE = 'native/returns.cpp';

/**
 * Functions in the order in which the program calls them, the shown value, and whether the program stops twice: at the
 * return instruction, because only LLDB's step out reads the value, and after it.
 */
const RETURNS: readonly (readonly [name: string, value: RegExp | null, isTwice?: true])[] = [
  ['negative', /^-5$/],
  ['most', /^18446744073709551615$/],
  ['holds', /^true$/],
  ['letter', /^'q'$/],
  ['half', /^0\.5$/],
  ['quarter', /^-0\.25$/],
  ['wide', null, true],
  ['nothing', null],
  ['literal', /^"text"$/],
  ['shared', /^8$/],
  ['none', /^nullptr$/],
  ['kind', /^round$/],
  ['small', /^Small \{one: 1, other: 2\}$/],
  ['point', /^Point \{x: 0\.5, y: 1\.5, z: -2\}$/],
  ['mixed', /^Mixed \{ratio: 2\.25, count: -3, isLast: true\}$/],
  ['named', /^Named \{.*one: 1, other: 2.*name: "n"\}$/],
  ['bits', /^Bits \{low: 5, high: 4097\}$/],
  ['empty', /^\{\}$/],
  ['copied', /^Copied \{one: 6\}$/, true],
  ['virtual_one', /one: 5/],
  ['big', /^Big \{one: 1, other: 2, third: 3\}$/],
  ['both', /first: 3, second: 4/],
  ['either', /^Either \{whole: 9, /],
  ['words', /^"hello"$/],
  ['list', /^size=3 \[1, 2, 3\]$/],
  ['owner', /4/],
  ['below', /^1$/],
];

/** Requests of the variables view that reach the adapter only after the program has continued. */
const LATE: readonly (readonly [command: string, args: object])[] = [
  ['scopes', { frameId: 2 ** 19 }],
  ['variables', { variablesReference: 1 }],
];

/** An error in C++, although the first comparison is false. */
const UNKNOWN = 'alias == 4 && missing == 1';

/** Claims about the variables at the end, and whether they hold. The last ones are left to LLDB's compiler. */
const CLAIMS: readonly (readonly [claim: string, holds: boolean])[] = [
  ['yes == 1', true],
  ['low < 0', true],
  ['high > low', true],
  ['all > 5 && low == -5', true],
  ['far == -9007199254740993', true],
  ['tenth == 0.1', false],
  ['tenth < exact', false],
  ['exact == 0.1', true],
  ['none != none', true],
  ['none >= 0', false],
  ['to->other >= pair.one', true],
  ['alias == 3 && pair.other != 4', false],
  ['alias == 4 && missing.member', false],
  [UNKNOWN, false],
  // C++ converts the negative number to a large one.
  ['one > low', false],
  ['pair.one + pair.other == 7', true],
];

describe('trace_function and collect_values in C++ without a stop before their end', function () {
  this.timeout(300_000);
  let stops = 0;
  let tracker: vscode.Disposable;

  before(function () {
    const language = LANGUAGES.find(({ name }) => name === 'C++');
    assert.ok(language);
    skipWhereMissing(this, language);
    tracker = vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: () => ({
        onDidSendMessage: (message: { readonly event?: string }) => {
          if (message.event === 'stopped') stops += 1;
        },
      }),
    });
  });

  after(async () => {
    tracker.dispose();
    await cleanUp();
  });

  it('report the return values of many types, with one stop if it is in a register', async () => {
    for (const [index, [name, value, isTwice]] of RETURNS.entries()) {
      stops = 0;
      const start = index === 0 ? { program: compileNative('returns') } : {};
      const found = await trace({ ...start, file_path: FILE, function_name: name });
      const text = JSON.stringify(found);
      if (value === null) assert.equal(found['returned_value'], 'not_shown', text);
      else assert.match(found.returned ?? '', value, text);
      assert.equal(stops, isTwice === true ? 2 : 1, text);
      assert.match(found.at ?? '', / main/, text);
    }
    await assertNothingLeft();
  });

  it('record the chosen activation of a recursion, and a call by its number', async () => {
    const outer = await trace({ file_path: FILE, function_name: 'below' });
    assert.deepEqual(
      [outer.arguments['number'], outer.returned],
      ['5', '9'],
      JSON.stringify(outer),
    );
    await cleanUp();
    stops = 0;
    const program = compileNative('returns');
    const third = await trace({ program, file_path: FILE, function_name: 'below', call: 3 });
    assert.deepEqual(
      [third.arguments['number'], third.returned, third['call']],
      ['3', '4', 3],
      JSON.stringify(third),
    );
    assert.match(third.at ?? '', / below/);
    assert.equal(stops, 1);
    const never = await call('trace_function', {
      ...{ file_path: FILE, function_name: 'below', call: 9 },
    });
    assert.deepEqual(
      [never['reached'], never['ended_by'], never['breakpoint_bound']],
      [false, 'program_end', true],
      JSON.stringify(never),
    );
  });

  it('evaluate claims as C++ does', async () => {
    stops = 0;
    const place = { file_path: FILE, line: marked(FILE, 'compare') };
    const answer = await call('collect_values', {
      program: compileNative('returns'),
      probes: CLAIMS.map(([expect]) => ({ ...place, expressions: [], expect })),
    });
    const probes = listOf(answer['probes']).map(fields);
    assert.deepEqual(
      probes.map(({ expect }) => expect),
      CLAIMS.map(([claim, holds]) => {
        if (claim.includes('missing')) return 'not_evaluated';
        return holds ? 'confirmed' : 'refuted';
      }),
      JSON.stringify(answer),
    );
    const { not_evaluated: failed } =
      probes[CLAIMS.findIndex(([claim]) => claim === UNKNOWN)] ?? {};
    assert.match(String(fields(failed)['error']), /undeclared identifier 'missing'/);
    assert.equal(stops, 0);
  });

  it('stop at the beginning, and at each hit, if the configuration turns LLDB’s commands off', async () => {
    compileNative('returns');
    const start = { configuration_name: 'Native without commands' };
    const found = await trace({ ...start, file_path: FILE, function_name: 'below', call: 2 });
    assert.equal(found.arguments['number'], '5', JSON.stringify(found));
    assert.ok((found.stepped_lines ?? 0) > 0, JSON.stringify(found));
    await cleanUp();
    const answer = await call('collect_values', {
      ...start,
      probes: [{ file_path: FILE, line: marked(FILE, 'compare'), expressions: ['low + 1'] }],
    });
    assert.deepEqual(
      [answer['hits'], answer['stopped_at_each_hit'], answer['ended_by']],
      [1, true, 'program_end'],
      JSON.stringify(answer),
    );
    await assertNothingLeft();
  });

  it('are complete if the editor requests variables while the program runs', async () => {
    await cleanUp();
    let requests = 0;
    const asking = vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: (session) => ({
        onDidSendMessage: ({ event }: { readonly event?: string }) => {
          if (event !== 'continued') return;
          requests += LATE.length;
          // The answers do not matter: the program runs.
          for (const [command, args] of LATE)
            session.customRequest(command, args).then(undefined, () => undefined);
        },
      }),
    });
    try {
      for (const [index, [name, value, isTwice]] of RETURNS.entries()) {
        if (isTwice === true) continue;
        const start = index === 0 ? { program: compileNative('returns') } : {};
        const found = await trace({ ...start, file_path: FILE, function_name: name });
        if (value !== null) assert.match(found.returned ?? '', value, JSON.stringify(found));
      }
    } finally {
      asking.dispose();
    }
    assert.ok(requests > RETURNS.length, String(requests));
    await cleanUp();
    await assertNothingLeft();
  });
});
