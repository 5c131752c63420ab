import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { isFieldsRequest } from '../../src/debugger/inspection/pythonFields';
import { fields, listOf, numberOf, readMessage } from '../../src/debugger/protocol';
import type { DebugModel } from '../../src/debugger/state/debugModel';
import type { DebugEvent } from '../../src/debugger/state/state';
import { call, cleanUp, insideExtension, inWorkspace, marked } from '../host/support/client';
import { LANGUAGES } from '../host/languages/language';
import type { VariableData } from '../host/support/stopData';
import { answerText, progress, stopIn } from './calling';
import { median, timed } from './measuring';
import type { Report } from './report';

const ROUNDS = Number(process.env['AGENT_DEBUGGER_BENCH_ROUNDS'] ?? 24);
const WARM_UP = 4;
const WAIT = { timeout_seconds: 120 };

/** Measures the cost of objects' fields in a step, in the languages' workspace with a program for each adapter. */
export async function objects(report: Report): Promise<void> {
  report.part('objects');
  const { model } = await insideExtension();
  const clock = new FieldsClock(model);
  const rows: (string | number)[][] = [];
  for (const language of LANGUAGES) {
    const missing = language.missing();
    if (missing !== undefined) {
      rows.push([language.name, `needs ${missing}`, '', '', '', '', '', '']);
      continue;
    }
    progress(`${language.name}: the fields of objects`);
    // A Node object shows its fields in its text, except private ones.
    const isNode = language.name === 'Node';
    const source = isNode ? 'node/objects.js' : language.source;
    await call('set_breakpoint', {
      file_path: inWorkspace(source),
      line_number: marked(source, isNode ? 'add' : 'print'),
    });
    const first = stopIn(
      JSON.stringify(
        await call('start_debugging', {
          ...(isNode
            ? { program: inWorkspace(source) }
            : { configuration_name: `${language.configuration} loop` }),
          ...WAIT,
        }),
      ),
    );
    await call('remove_breakpoint', { clear_all: true });
    const stop = await answerText('wait_for_stop', {});
    const [times, later, requests]: [number[], number[], number[]] = [[], [], []];
    let text = '';
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      clock.begin();
      const milliseconds = await timed(
        async () =>
          (text = await answerText('step_execution', {
            thread_id: first.thread_id,
            session_id: first.session_id,
            step_type: 'over',
            ...WAIT,
          })),
      );
      const cost = clock.end();
      stopIn(text);
      if (round < WARM_UP) continue;
      times.push(milliseconds);
      later.push(cost.milliseconds);
      requests.push(cost.requests);
    }
    const bare = withoutFields(stop);
    rows.push([
      language.name,
      objectsIn(stop),
      median(requests),
      median(later),
      median(times),
      countTokens(stop) - countTokens(bare),
      countTokens(stop),
      countTokens(text),
    ]);
    await cleanUp();
  }
  report.text(
    `What the fields of objects cost, medians of ${ROUNDS} steps: objects with fields in the first stop, requests for them at each step, milliseconds after everything else that the answer holds has been answered, milliseconds of a whole step; tokens of the fields in that stop, of the stop, and of the last step.`,
  );
  report.table(
    [
      'adapter',
      'objects',
      'requests',
      'ms later',
      'ms of a step',
      'tokens of fields',
      'tokens of the stop',
      'tokens of a step',
    ],
    rows,
  );
}

const variablesIn = (stop: string): readonly VariableData[] =>
  stopIn(stop).top_frame_variables?.variables ?? [];

function objectsIn(stop: string): number {
  return variablesIn(stop).filter((each) => each.fields !== undefined).length;
}

function withoutFields(stop: string): string {
  return JSON.stringify(JSON.parse(stop), (key, value: unknown) =>
    key === 'fields' || key === 'omitted_fields' ? undefined : value,
  );
}

/** Measures how much later the fields of objects are answered than the frame's variables. */
class FieldsClock {
  /** Whether a request, by its `seq`, is for fields. */
  private asked = new Map<number, boolean>();
  private scopes = new Set<number>();
  private answered = new Set<string>();
  private needed = 0;
  private last = 0;
  private count = 0;

  constructor(model: DebugModel) {
    model.observe((event) => this.observe(event));
  }

  begin(): void {
    this.forget();
  }

  /** Call it when the caller has the answer, before any other await: VS Code's views send further requests. */
  end(): { readonly milliseconds: number; readonly requests: number } {
    return {
      milliseconds: this.count === 0 ? 0 : Math.max(0, this.last - this.needed),
      requests: this.count,
    };
  }

  private observe(event: DebugEvent): void {
    if (event.type !== 'toAdapter' && event.type !== 'fromAdapter') return;
    const message = readMessage(event.message);
    if (message?.type === 'event' && message.event === 'stopped') this.forget();
    else if (message?.type === 'request')
      this.ask(message.seq, message.command, fields(message.arguments));
    else if (message?.type === 'response')
      this.hear(message.requestSeq, message.command, fields(message.body));
  }

  private ask(seq: number, command: string, args: Readonly<Record<string, unknown>>): void {
    const reference = numberOf(args['variablesReference']) ?? 0;
    if (isFieldsRequest(command, args) || (command === 'variables' && !this.scopes.has(reference)))
      this.asked.set(seq, true);
    else if (command === 'stackTrace' || command === 'scopes' || command === 'variables') {
      // VS Code sends the same request again a little later.
      const key = command === 'variables' ? `${command} ${reference}` : command;
      if (!this.answered.has(key)) this.asked.set(seq, false);
      this.answered.add(key);
    }
  }

  private hear(seq: number, command: string, body: Readonly<Record<string, unknown>>): void {
    if (command === 'scopes')
      for (const each of listOf(body['scopes']))
        this.scopes.add(numberOf(fields(each)['variablesReference']) ?? 0);
    const isFields = this.asked.get(seq);
    if (isFields === undefined) return;
    if (isFields) {
      this.count += 1;
      this.last = performance.now();
    } else this.needed = performance.now();
  }

  private forget(): void {
    this.asked = new Map();
    this.scopes = new Set();
    this.answered = new Set();
    [this.needed, this.last, this.count] = [0, 0, 0];
  }
}
