import { call, cleanUp } from '../host/support/client';
import type { StopData } from '../host/support/stopData';
import { answerText, LANGUAGES, progress, stopInLarge, type Language } from './calling';
import { growth, heapCells, HEAP_HEADS } from './growth';
import { median, timed } from './measuring';
import type { Report } from './report';

const SESSIONS = [1, 10, 50] as const;

/** The number of steps for each number of sessions. */
const STEPS = 5;

/** Measures many sessions at once, with the extension and without. */
export async function sessions(report: Report): Promise<void> {
  report.part('sessions');
  for (const language of LANGUAGES) await manySessions(report, language);
}

/** Measures many programs that are all stopped at once. */
async function manySessions(report: Report, language: Language): Promise<void> {
  const rows = [];
  for (const count of SESSIONS) {
    progress(`${language.name}: ${count} sessions`);
    const { found, ...grown } = await growth({
      ours: async () => {
        const stops: StopData[] = [];
        while (stops.length < count) stops.push(await stopInLarge(language, 'small'));
        const times: number[] = [];
        for (const { thread_id, session_id } of stops.slice(-STEPS)) {
          for (let step = 0; step < Math.ceil(STEPS / Math.min(STEPS, count)); step += 1)
            times.push(
              await timed(() =>
                call('step_execution', { thread_id, session_id, step_type: 'over' }),
              ),
            );
        }
        let state = '';
        const look = await timed(async () => (state = await answerText('get_debug_state', {})));
        return { step: median(times), look, characters: state.length };
      },
      theirs: async (without) => {
        for (let session = 0; session < count; session += 1)
          await without.start(language, 'small', 0);
      },
      clear: cleanUp,
    });
    rows.push([String(count), found.step, found.look, found.characters, ...heapCells(grown)]);
  }
  report.text(
    `Many sessions on ${language.name}, all stopped: a step in one of them and get_debug_state through VS Code’s tools, in milliseconds.`,
  );
  report.table(['sessions', 'step', 'get_debug_state', 'its characters', ...HEAP_HEADS], rows);
}
