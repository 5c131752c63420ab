import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Recording } from '../../../src/recording/recording';
import type { Recordings } from '../../../src/recording/recordings';
import type { RecordingPlan } from '../../../src/recording/recordingPlan';
import { call, cleanUp, inWorkspace, marked, stopOf, until, type Answer } from '../support/client';
import { temporaryFolders } from '../support/temporaryFolders';
import { LANGUAGES, skipWhereMissing, type Language } from '../languages/language';

const WAIT = { timeout_seconds: 20 };

async function start(plan: Omit<RecordingPlan, 'isIncluded' | 'maxHits'>): Promise<Recording> {
  const extension = vscode.extensions.getExtension<{ recordings: Recordings }>(
    'agent-debugger.agent-debugger',
  );
  assert.ok(extension);
  const { recordings } = await extension.activate();
  return await recordings.start({ isIncluded: () => true, maxHits: 100, ...plan });
}

/** Starts a configuration, and continues it when its debugger has set the points: js-debug would not wait for them. */
async function startHeld(configuration: string): Promise<Answer> {
  const held = await call('start_debugging', {
    configuration_name: configuration,
    stop_on_entry: true,
    ...WAIT,
  });
  assert.equal(held.status, 'stopped', JSON.stringify(held));
  await until(
    (model) =>
      [...model.state.sessions.values()]
        .filter(({ lifecycle }) => lifecycle === 'stopped')
        .flatMap(({ sourceBreakpoints }) => [...sourceBreakpoints.values()])
        .flatMap(({ breakpoints }) => breakpoints)
        .some(({ injected }) => injected !== undefined),
    'the points are answered',
  );
  return await call('continue_debugging', WAIT);
}

for (const language of LANGUAGES.filter((each) => ['Node', 'Python'].includes(each.name)))
  describe(`recording without stops: ${language.name}`, function () {
    this.timeout(300_000);
    before(function () {
      skipWhereMissing(this, language);
    });
    afterEach(cleanUp);

    it('records a run from its start, with claims, callers and failing expressions', async () => {
      const before = temporaryFolders().length;
      const recording = await start({ points: pointsOf(language), callers: true });
      const answer = await startHeld(language.configuration);
      assert.equal(answer.status, 'completed', JSON.stringify(answer));
      await recording.dispose();
      const hits = recording.read();
      const adds = hits.filter((each) => each.point === 1);
      assert.deepEqual(
        adds.map((each) => each.values.slice(0, 2)),
        [
          ['1', '0'],
          ['2', '1'],
          ['3', '5'],
        ],
        JSON.stringify(hits),
      );
      assert.match(JSON.stringify(adds[0]?.values[2]), /Error/);
      assert.deepEqual(
        adds.map((each) => each.claim),
        [true, true, false],
      );
      assert.match(adds[2]?.stack?.[0] ?? '', /run \(.*scenario\.\w+:\d+\)/);
      const inside = hits.filter((each) => each.point === 2);
      assert.deepEqual(
        inside.map((each) => each.values),
        [['2']],
        'where its condition holds',
      );
      assert.match(inside[0]?.caller ?? '', /^run \(scenario\.\w+:\d+\)$/);
      assert.equal(recording.passes(2), 2);
      assert.deepEqual(recording.gaps, { lost: 0, beyond: 0 });
      assert.equal(temporaryFolders().length, before, 'no folder is left');
    });

    it('keeps the person’s breakpoint at a recorded line, which stops as before, and leaves only that breakpoint', async () => {
      const line = marked(language.source, 'add');
      const at = { file_path: language.source, line_number: line };
      await call('set_breakpoint', { ...at, condition: language.condition });
      const recording = await start({ points: pointsOf(language).slice(0, 1) });
      const stop = stopOf(await startHeld(language.configuration));
      assert.equal(stop.line, line);
      assert.ok(stop['hit_breakpoint_ids'], JSON.stringify(stop));
      await recording.settle();
      assert.equal(recording.read().length, 2, 'up to the stop');
      await assertBound(line);
      const path = recording.path;
      await recording.dispose();
      assert.equal(existsSync(path), false);
      await assertBound(line);
      const answer = await call('continue_debugging', WAIT);
      assert.equal(answer.status, 'completed', JSON.stringify(answer));
      assert.equal(recording.read().length, 2, 'nothing is recorded any more');
    });

    it('records a program that already runs, and stops it at the requested condition', async () => {
      const loop = `${language.configuration} loop`;
      const started = await call('start_debugging', {
        configuration_name: loop,
        timeout_seconds: 5,
      });
      assert.equal(started.status, 'timeout', JSON.stringify(started));
      const stopped = call('wait_for_stop', WAIT);
      const recording = await start({
        points: [
          {
            id: 1,
            path: inWorkspace(language.source),
            line: marked(language.source, 'leave'),
            values: ['n', 'result'],
            stopWhen: 'n == 7',
          },
        ],
      });
      assert.equal(stopOf(await stopped).line, marked(language.source, 'leave'));
      await recording.settle();
      assert.deepEqual(
        recording.read().map((each) => [each.values, each.stopped]),
        [[['7', '49'], true]],
      );
      await recording.dispose();
      const again = await call('continue_debugging', { timeout_seconds: 2 });
      assert.equal(again.status, 'timeout', 'it stops there no more');
    });
  });

function pointsOf({ source }: Language): RecordingPlan['points'] {
  const path = inWorkspace(source);
  return [
    {
      id: 1,
      path,
      line: marked(source, 'add'),
      values: ['i', 'sum', 'missing.member'],
      claim: 'sum < 5',
    },
    { id: 2, path, line: marked(source, 'inside'), values: ['n'], when: 'n == 2' },
  ];
}

async function assertBound(line: number): Promise<void> {
  const answer = await call('get_breakpoints', {});
  const breakpoints = answer['breakpoints'] as { verified: boolean; line: number }[];
  assert.deepEqual(
    breakpoints.map((each) => [each.verified, each.line]),
    [[true, line]],
    JSON.stringify(breakpoints),
  );
}
