import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { call, cleanUp, insideExtension, marked, until, type Answer } from '../support/client';
import { LANGUAGES, skipWhereMissing } from '../languages/language';

interface Probe {
  readonly hits: number;
  readonly never_reached?: string;
  readonly expect?: string;
  readonly [property: string]: unknown;
}

interface Collected extends Answer {
  readonly hits: number;
  readonly ended_by: string;
  readonly program: string;
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly probes: readonly Probe[];
}

async function collect(input: object): Promise<Collected> {
  const started = performance.now();
  const answer = await call('collect_values', input);
  show(answer, started);
  return answer as Collected;
}

async function trace(input: object): Promise<Answer> {
  const started = performance.now();
  const answer = await call('trace_function', input);
  show(answer, started);
  return answer;
}

function show(answer: Answer, started: number): void {
  if (process.env['SHOW'] !== undefined)
    console.log(`${Math.round(performance.now() - started)} ms ${JSON.stringify(answer)}`);
}

/** The last breakpoint list of each file and session that was sent to an adapter: after a call it has none of ours. */
class Lists implements vscode.Disposable {
  private readonly last = new Map<string, string>();
  private readonly factory = vscode.debug.registerDebugAdapterTrackerFactory('*', {
    createDebugAdapterTracker: ({ id }) => ({
      onWillReceiveMessage: (message: Sent) => {
        if (message.command !== 'setBreakpoints') return;
        const { source, ...rest } = message.arguments ?? {};
        this.last.set(`${id} ${source?.path ?? ''}`, JSON.stringify(rest));
      },
      onWillStopSession: () => {
        for (const key of this.last.keys()) if (key.startsWith(id)) this.last.delete(key);
      },
    }),
  });

  /** The lists of live sessions that contain a recording point of ours. */
  ours(): readonly string[] {
    return [...this.last.values()].filter((each) => each.includes('__agentDebuggerPoint'));
  }

  dispose(): void {
    this.factory.dispose();
  }
}

interface Sent {
  readonly command?: string;
  readonly arguments?: { readonly source?: { readonly path?: string } };
}

const SUBJECTS = [
  { name: 'Python', file: 'python/bad.py', later: 'python/bad_later.py' },
  { name: 'Node', file: 'node/bad.js', later: 'node/badLater.js' },
] as const;

for (const { name, file, later } of SUBJECTS)
  describe(`bad input: ${name}`, function () {
    this.timeout(300_000);
    let lists: Lists;
    before(function () {
      const language = LANGUAGES.find((each) => each.name === name);
      assert.ok(language);
      skipWhereMissing(this, language);
      lists = new Lists();
    });
    after(() => lists.dispose());
    afterEach(cleanUp);

    /** Asserts that nothing of a call is left: no breakpoint, no lease, no list of an adapter. */
    async function assertNothingLeft(answerText: string): Promise<void> {
      assert.deepEqual(vscode.debug.breakpoints, [], answerText);
      assert.deepEqual(lists.ours(), [], answerText);
      const { model } = await insideExtension();
      const injected = [...model.state.sessions.values()]
        .filter((each) => each.lifecycle !== 'terminated')
        .flatMap((each) => [...each.sourceBreakpoints.values()])
        .flatMap((each) => each.breakpoints)
        .filter((each) => each.injected !== undefined);
      assert.deepEqual(injected, [], answerText);
    }

    const working = { file_path: file, line: marked(file, 'work'), expressions: ['doubled'] };

    it('handles expressions that fail, have side effects or are huge, lines without code, and files that are loaded late', async () => {
      const at = { file_path: file, line: marked(file, 'values') };
      const answer = await collect({
        program: file,
        args: ['values'],
        probes: [
          { ...at, expressions: ['text', 'many', 'fails()', 'nowhere'] },
          {
            ...at,
            expressions: ['effect()'],
            expect: 'effect() === 2'.replace('===', name === 'Python' ? '==' : '==='),
          },
          { file_path: later, line: marked(later, 'later'), expressions: ['n'] },
          { file_path: file, line: marked(file, 'no code'), expressions: ['size'] },
          {
            file_path: file,
            line: marked(file, 'loop'),
            expressions: ['total'],
            expect: 'total >= 0',
          },
        ],
      });
      const answerText = JSON.stringify(answer);
      assert.deepEqual([answer.ended_by, answer.program], ['program_end', 'ended'], answerText);
      const [values, effects, inLater, noCode, never] = answer.probes;
      assert.deepEqual([values?.hits, effects?.hits, inLater?.hits], [1, 1, 1], answerText);
      const row = answer.rows.find((each) => each[1] === 1)?.slice(-4) ?? [];
      assert.match(String(row[0]), /^['"]y{50,}.*(?:… \(10000000 characters\)|…)$/, answerText);
      assert.match(String(row[1]), /^\[0, 1, 2, .*… \d+ more\]$/, answerText);
      assert.match(String(row[2]), /^!(?:ValueError|RangeError): no value$/, answerText);
      assert.match(String(row[3]), /^!(?:NameError|ReferenceError): /, answerText);
      // Each expression was evaluated once.
      assert.equal(effects?.expect, 'confirmed', answerText);
      // Its values are those of another line, which is reported.
      assert.ok(
        noCode?.['moved_to_line'] !== undefined || noCode?.never_reached !== undefined,
        answerText,
      );
      assert.deepEqual(
        [never?.expect, never?.never_reached],
        ['never_reached', 'not_reached'],
        answerText,
      );
      await assertNothingLeft(answerText);
    });

    it('reports the first of a million hits, and the program goes on to its end', async () => {
      const answer = await collect({
        program: file,
        args: ['million'],
        probes: [{ file_path: file, line: marked(file, 'loop'), expressions: ['n'] }],
        max_hits: 500,
        keep: 'last',
        at_end: 'continue',
      });
      const answerText = JSON.stringify(answer);
      assert.deepEqual([answer.ended_by, answer.hits], ['max_hits', 500], answerText);
      assert.deepEqual(answer.rows, [[500, '499']], answerText);
      await assertNothingLeft(answerText);
      await until(
        (model) =>
          [...model.state.sessions.values()].every((each) => each.lifecycle === 'terminated'),
        'the program ends',
      );
      const { lines } = await call('get_debug_output', { session_id: answer['session_id'] });
      assert.match(JSON.stringify(lines), /499999500000/);
    });

    it('ends the call at its time limit if an expression hangs', async () => {
      const answer = await collect({
        program: file,
        args: ['forever'],
        probes: [{ ...working, expressions: ['doubled', 'endless()'] }],
        max_seconds: 12,
      });
      const answerText = JSON.stringify(answer);
      assert.deepEqual(
        [answer.ended_by, answer.program, answer.hits],
        ['max_seconds', 'ended', 0],
        answerText,
      );
      assert.equal(answer.probes[0]?.never_reached, 'not_evaluated', answerText);
      await assertNothingLeft(answerText);
    });

    it('also collects in processes that the program starts', async () => {
      const answer = await collect({ program: file, args: ['fork'], probes: [working] });
      const answerText = JSON.stringify(answer);
      assert.deepEqual([answer.ended_by, answer.program], ['program_end', 'ended'], answerText);
      assert.deepEqual(answer.rows.map((each) => each.at(-1)).sort(), ['2', '4'], answerText);
      await assertNothingLeft(answerText);
    });

    it('traces one call of a very deep recursion', async () => {
      // js-debug stops for a moment at each call that it counts, and its stack is smaller: the call is an early one.
      const [depth, wanted] = name === 'Python' ? [10_000, 9998] : [2000, 3];
      const left = String(depth - wanted + 1);
      const answer = await trace({
        program: file,
        args: ['deep', String(depth)],
        function_name: 'down',
        file_path: file,
        call: wanted,
        max_seconds: 60,
      });
      const answerText = JSON.stringify(answer);
      assert.deepEqual(answer['arguments'], { n: left }, answerText);
      // js-debug does not show every return value in a recursion.
      if (name === 'Python') assert.equal(answer['returned'], left, answerText);
      assert.equal(answer['executed_lines'], 3, answerText);
      assert.equal(answer['program'], 'stopped', answerText);
      await assertNothingLeft(answerText);
    });

    if (name === 'Python')
      it('traces and collects a function that is called in two threads at once', async () => {
        const answer = await trace({
          program: file,
          args: ['threads'],
          function_name: 'meet',
          file_path: file,
        });
        const answerText = JSON.stringify(answer);
        const { n } = answer['arguments'] as { n: string };
        assert.deepEqual([answer['executed_lines'], answer['returned']], [4, `${n}0`], answerText);
        await assertNothingLeft(answerText);
        await cleanUp();
        const both = await collect({
          program: file,
          args: ['threads'],
          probes: [{ file_path: file, line: marked(file, 'meet'), expressions: ['seen'] }],
        });
        assert.deepEqual(
          both.rows.map((each) => each.at(-1)).sort(),
          ['10', '20'],
          JSON.stringify(both),
        );
        assert.equal(new Set(both.rows.map((each) => each[1])).size, 2, JSON.stringify(both));
      });

    for (const [what, act, expected] of [
      [
        'takes over',
        () => vscode.commands.executeCommand('agentDebugger.takeOver'),
        { ended_by: 'person', program: 'running' },
      ],
      [
        'stops the program',
        () => vscode.debug.stopDebugging(),
        { ended_by: 'person', program: 'ended' },
      ],
    ] as const)
      it(`ends a collection when the person ${what}`, async () => {
        const { model } = await insideExtension();
        const before = model.listenerCount;
        const collecting = collect({
          program: file,
          args: ['forever'],
          probes: [working],
          max_hits: 100_000,
          max_seconds: 60,
        });
        await until(
          (now) =>
            [...now.state.sessions.values()].some(
              (each) =>
                each.lifecycle === 'running' &&
                each.threads.size > 0 &&
                // A Node program first waits for the breakpoints.
                (name === 'Python' || each.stopCount > 0) &&
                [...each.sourceBreakpoints.values()]
                  .flatMap(({ breakpoints }) => breakpoints)
                  .some(({ injected, verified }) => injected !== undefined && verified),
            ),
          'the collection',
        );
        await act();
        const answer = await collecting;
        await vscode.commands.executeCommand('agentDebugger.giveBack');
        const { ended_by, program } = answer;
        const answerText = JSON.stringify(answer);
        assert.deepEqual({ ended_by, program }, expected, answerText);
        await assertNothingLeft(answerText);
        assert.ok(model.listenerCount <= before, 'nothing waits any more');
      });

    it('removes the breakpoints of a trace that the person cancels', async () => {
      const source = new vscode.CancellationTokenSource();
      const tracing = call(
        'trace_function',
        {
          program: file,
          args: ['forever'],
          function_name: 'down',
          file_path: file,
          max_seconds: 60,
        },
        source.token,
      ).catch((error: unknown) => error);
      await until(
        ({ state }) =>
          [...state.sessions.values()].some(
            (each) => each.lifecycle === 'running' && each.threads.size > 0,
          ),
        'the program runs',
      );
      source.cancel();
      await tracing;
      await until(
        ({ state }) =>
          vscode.debug.breakpoints.length === 0 &&
          [...state.sessions.values()]
            .filter(({ lifecycle }) => lifecycle !== 'terminated')
            .flatMap(({ sourceBreakpoints }) => [...sourceBreakpoints.values()])
            .flatMap(({ breakpoints }) => breakpoints)
            .every(({ injected }) => injected === undefined),
        'its breakpoint is gone',
      );
      await assertNothingLeft('cancelled');
    });
  });
