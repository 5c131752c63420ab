import { cleanUp, insideExtension } from '../host/support/client';
import { answerText, LANGUAGES, progress, stopIn, stopInLarge, type Language } from './calling';
import { GeneratedPrograms } from './generated';
import { growth, heapCells, HEAP_HEADS, type Work } from './growth';
import { median, timed } from './measuring';
import { withRawClient } from './rawClient';
import type { Report } from './report';
import { PhaseClock, type Phases } from './stepPhases';

/** The number of steps of each kind in each program. */
const STEPS = 5;

/** VS Code is assumed to have drawn a stop when its adapter has sent nothing for this time. */
const REST_MS = 300;

interface Program {
  readonly name: string;
  readonly kind: string;
  readonly size: number;
}

/** Compares programs that are each large in one way with a small one, and with VS Code without the extension. */
export async function large(report: Report): Promise<void> {
  report.part('large');
  const generated = new GeneratedPrograms();
  const { model } = await insideExtension();
  const clock = new PhaseClock(model);
  for (const language of LANGUAGES) {
    // The first run loads everything that is loaded only once.
    await growth(stepping(language, SMALL, clock));
    await stepsIn(report, language, programs(language, generated), clock);
  }
  generated.remove();
}

const SMALL: Program = { name: 'small', kind: 'small', size: 0 };

function programs(language: Language, generated: GeneratedPrograms): readonly Program[] {
  return [
    SMALL,
    { name: '2,000 frames', kind: 'frames', size: 2000 },
    { name: '20,000 frames', kind: 'frames', size: 20_000 },
    { name: '500 locals', kind: generated.locals(language, 500), size: 0 },
    { name: '5,000 locals', kind: generated.locals(language, 5000), size: 0 },
    { name: 'an array of 100,000', kind: 'array', size: 100_000 },
    { name: 'an array of a million', kind: 'array', size: 1_000_000 },
    // A worker of Node is a session in VS Code, not a thread.
    ...(language.type === 'debugpy'
      ? [
          { name: '20 threads', kind: 'threads', size: 20 },
          { name: '200 threads', kind: 'threads', size: 200 },
        ]
      : []),
  ];
}

async function stepsIn(
  report: Report,
  language: Language,
  all: readonly Program[],
  clock: PhaseClock,
): Promise<void> {
  const measured = [];
  for (const program of all) {
    progress(`${language.name}: ${program.name}`);
    measured.push({ name: program.name, ...(await growth(stepping(language, program, clock))) });
  }
  const small = measured[0]?.found.step ?? Number.NaN;
  report.text(
    `Large programs on ${language.name}: a step through VS Code’s tools from rest, median of ${STEPS} in milliseconds; the characters of its answer; by how much the extension host’s heap has grown, in MB.`,
  );
  report.table(
    ['program', 'step', 'to small', 'raw client', 'to raw', 'characters', ...HEAP_HEADS],
    measured.map(({ name, found, ...grown }) => [
      name,
      found.step,
      found.step / small,
      found.raw,
      found.step / found.raw,
      found.characters,
      ...heapCells(grown),
    ]),
  );
  report.text('Where a step’s time goes there, medians in milliseconds, as above.');
  report.table(
    ['program', 'there', 'step', 'looks', 'back'],
    measured.map(({ name, found }) => [
      name,
      ...(['there', 'step', 'looks', 'back'] as const).map((phase) =>
        median(found.phases.map((each) => each[phase])),
      ),
    ]),
  );
}

/** Alternates steps of the tools and of a raw client. */
function stepping(
  language: Language,
  { kind, size }: Program,
  clock: PhaseClock,
): Work<{ step: number; raw: number; characters: number; phases: readonly Phases[] }> {
  return {
    ours: async () => {
      const { started, raw } = await withRawClient(
        () => stopInLarge(language, kind, size),
        (stop) => stop.thread_id,
      );
      const { thread_id } = started;
      const times: number[] = [];
      const rawTimes: number[] = [];
      const phases: Phases[] = [];
      let text = '';
      for (let step = 0; step < STEPS; step += 1) {
        await raw.quiet(REST_MS);
        rawTimes.push(await timed(() => raw.stepAndLook(thread_id)));
        await raw.quiet(REST_MS);
        clock.begin();
        times.push(
          await timed(
            async () =>
              (text = await answerText('step_execution', { thread_id, step_type: 'over' })),
          ),
        );
        phases.push(clock.end());
        stopIn(text);
      }
      await raw.quiet(REST_MS);
      return { step: median(times), raw: median(rawTimes), characters: text.length, phases };
    },
    theirs: async (without) => {
      const { started, raw } = await withRawClient(
        () => without.start(language, kind, size),
        (threadId) => threadId,
      );
      for (let step = 0; step < 2 * STEPS; step += 1) {
        await raw.quiet(REST_MS);
        await raw.stepAndLook(started);
      }
      await raw.quiet(REST_MS);
    },
    clear: cleanUp,
  };
}
