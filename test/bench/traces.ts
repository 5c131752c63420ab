import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { call, cleanUp, inWorkspace, marked } from '../host/support/client';
import { stopOf, type StopData } from '../host/support/stopData';
import { answerText, LANGUAGES, progress, type Language } from './calling';
import { timed } from './measuring';
import { withRawClient } from './rawClient';
import type { Report } from './report';

/** The time of a trace may be so large a part of a raw client's that steps the same lines and reads stack and locals. */
const MOST_RATIO = 1 / 20;
/** The tokens of a trace may be so large a part of those of single steps with the extension's own tools. */
const MOST_TOKENS = 1 / 10;
/** Lines that the raw client steps; of a longer call its time is told by these. */
const STEPPED = 60;
const STEPS_READ = 50;

/** What a call of `spin` with 14 and with 500 rounds executes. */
const CALLS = [
  { call: 1, lines: 60 },
  { call: 2, lines: 2000 },
] as const;

/** `trace_function` beside a client that steps: time for each executed line, and tokens. */
export async function traces(report: Report): Promise<void> {
  report.part('traces');
  report.text(
    `A call that is traced from a stop before it, beside a raw client that steps its first ${STEPPED} lines and reads stack and locals at each; its time for more lines is told by these. Milliseconds.`,
  );
  const rows: (readonly (string | number)[])[] = [];
  const tokens: (readonly (string | number)[])[] = [];
  for (const language of LANGUAGES) {
    progress(`${language.name}: traces`);
    const perLine = await stepping(language);
    for (const { call: nth, lines } of CALLS) {
      await stopAt(language, 'begin');
      let text = '';
      const milliseconds = await timed(async () => {
        text = await answerText('trace_function', input(language, nth));
      });
      await cleanUp();
      const raw = perLine * lines;
      const title = `${language.name}, ${lines} lines`;
      rows.push([
        title,
        milliseconds,
        raw,
        milliseconds / raw,
        report.aim(`trace_function, ${title}: ratio`, milliseconds / raw, { most: MOST_RATIO }),
      ]);
      if (nth === 1) tokens.push(await inTokens(report, language, text));
    }
  }
  report.table(['call', 'trace_function', 'raw client', 'ratio', 'aim'], rows);
  report.text(`Tokens (o200k) of a trace of 60 lines, beside ${STEPS_READ} single steps.`);
  report.table(['call', 'trace_function', 'single steps', 'ratio', 'aim'], tokens);
}

const fileOf = (language: Language): string => language.work.replace('work', 'spin');

function input(language: Language, nth: number): object {
  return { function_name: 'spin', file_path: fileOf(language), call: nth, max_steps: 3000 };
}

async function stopAt(language: Language, marker: string): Promise<StopData> {
  await call('set_breakpoint', {
    file_path: inWorkspace(fileOf(language)),
    line_number: marked(fileOf(language), marker),
  });
  const stop = stopOf(
    await call('start_debugging', { configuration_name: `Spin ${language.type}` }),
  );
  await call('remove_breakpoint', { clear_all: true });
  return stop;
}

/** Milliseconds that a raw client takes for each line. */
async function stepping(language: Language): Promise<number> {
  const { started, raw } = await withRawClient(
    () => stopAt(language, 'spin'),
    (each) => each.thread_id,
  );
  await raw.look(started.thread_id);
  const all = await timed(async () => {
    for (let step = 0; step < STEPPED; step += 1) await raw.stepAndLook(started.thread_id);
  });
  await cleanUp();
  return all / STEPPED;
}

async function inTokens(
  report: Report,
  language: Language,
  trace: string,
): Promise<readonly (string | number)[]> {
  const { thread_id: thread } = await stopAt(language, 'spin');
  let single = 0;
  for (let step = 0; step < STEPS_READ; step += 1)
    single += countTokens(
      await answerText('step_execution', { thread_id: thread, step_type: 'over' }),
    );
  await cleanUp();
  const own = countTokens(trace);
  const ratio = own / single;
  const aim = report.aim(`${language.name}, tokens of a trace: ratio`, ratio, {
    most: MOST_TOKENS,
  });
  return [language.name, own, single, ratio, aim];
}
