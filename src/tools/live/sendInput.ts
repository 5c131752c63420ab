import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { epochsOf, type Epochs } from '../../control/nextOutcome';
import type { Outcome, RunLimits } from '../../control/outcome';
import type { DebugModel } from '../../debugger/state/debugModel';
import { rootOf, treeOf, type SessionState } from '../../debugger/state/state';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { runningSession } from '../core/place';
import { defineTool } from '../defineTool';
import { MAX_WHOLE, wholeCode, type Question } from '../question';
import { tailOf } from '../reports/endReport';
import { limitsOf, reportRun } from '../reports/runReport';
import { inputWaitOf } from '../reports/inputWait';
import { maxChars, runOutcome } from '../schemas';
import type { Call, InputFile, ToolServices } from '../services';

/**
 * The time for which a call still waits for a stop after the program has printed something, in milliseconds. Code that
 * runs right after it may reach a breakpoint.
 */
const AFTER_OUTPUT_MS = 500;

const input = z.strictObject({
  text: z.string().max(MAX_WHOLE).optional(),
  newline: z.boolean().default(true).describe('End the text with a line end.'),
  eof: z.boolean().default(false).describe('Then close the input.'),
  timeout_seconds: z
    .number()
    .min(1)
    .max(300)
    .default(10)
    .describe('Longest wait for output, a stop or the end.'),
  max_chars: maxChars,
});

type Input = z.output<typeof input>;

const output = runOutcome.extend({
  status: z.enum(['success', 'stopped', 'completed', 'timeout', 'error', 'interrupted']),
  waits_for_input: z.boolean().optional(),
});

type Result = z.input<typeof output>;

export const sendInput = defineTool({
  name: 'send_input',
  set: 'live',
  effect: 'control',
  title: 'Send Input',
  userDescription: 'Writes to the standard input of a program',
  modelDescription:
    'Write to the standard input of a program that was started with stdin_open. Returns what it printed since, and whether it stopped, ended or still runs.',
  icon: 'terminal',
  input,
  output,
  needs: 'session',
  doing: () => l10n.t('Writing to the program’s standard input'),
  question: ({ input: asked, target: { session }, services }) => {
    openInputOf(services, session);
    return { title: l10n.t('Send input'), message: messageAbout(asked, session) };
  },
  run: async ({ input: asked, target: { session }, services, call }) => {
    const file = openInputOf(services, session);
    const before = new Printed(services.model, session);
    if (before.tree().some(({ lifecycle }) => lifecycle === 'stopped')) {
      send(file, asked);
      return stillThere(
        before.tree()[0] ?? session,
        services,
        before,
        l10n.t('The program is stopped. It can read the text when it continues.'),
      );
    }
    return await sendAndWait(services, call, { file, asked, session, before });
  },
});

function messageAbout({ text, newline, eof }: Input, session: SessionState): Question['message'] {
  const name = runningSession(session, undefined);
  if (text === undefined) return l10n.t('Close the standard input of {0}', name);
  const written = wholeCode(newline ? `${text}⏎` : text);
  return eof
    ? l10n.t('Write {0} to the standard input of {1}, and close it', written, name)
    : l10n.t('Write {0} to the standard input of {1}', written, name);
}

/** Returns the input of a session's program, if it is open. @throws Failure `input_not_open`, `input_closed` */
function openInputOf({ inputs }: ToolServices, session: SessionState): InputFile {
  const file = inputs.of(session);
  if (file === undefined || file.state === 'fixed')
    throw new Failure(
      'input_not_open',
      l10n.t(
        'The program of the session {0} was not started with an open standard input.',
        session.id,
      ),
      'Start it with start_debugging and stdin_open. If it runs in a terminal, the person can type there. Nothing was written.',
    );
  if (file.state === 'closed')
    throw new Failure(
      'input_closed',
      l10n.t('The standard input of the program was closed by an earlier call.'),
      'Start the program again, with stdin_open. Nothing was written.',
    );
  return file;
}

/** Writes what a call passes. @throws Failure */
function send(file: InputFile, { text, newline, eof }: Input): void {
  if (text === undefined && !eof)
    throw new Failure(
      'invalid_input',
      l10n.t('Either text or eof is needed.'),
      'Pass text, or eof: true to close the input. Nothing was written.',
    );
  const end = newline && text !== undefined ? '\n' : '';
  const whole = `${text ?? ''}${end}`;
  const bytes = Buffer.byteLength(whole);
  const written = bytes === 0 ? 0 : file.write(whole);
  if (written === undefined)
    throw new Failure(
      'input_closed',
      l10n.t(
        'No program has this standard input open: it has closed it or ended, or its debugger does not pass it on.',
      ),
      'Call get_debug_state. Go needs Delve 1.26 or newer. Nothing was written.',
    );
  if (written < bytes)
    throw new Failure(
      'input_full',
      l10n.t(
        'The program has not read what was written earlier: only {0} of {1} bytes could be written.',
        written,
        bytes,
      ),
      'Call get_debug_state or explain_hang to see what the program does. Send the rest when it reads.',
    );
  if (eof) file.close();
}

interface Sending {
  readonly file: InputFile;
  readonly asked: Input;
  readonly session: SessionState;
  readonly before: Printed;
}

/** Writes, and waits until the program prints something, stops or ends. */
async function sendAndWait(
  services: ToolServices,
  call: Call,
  { file, asked, session, before }: Sending,
): Promise<Result> {
  const { control, model } = services;
  const limits = limitsOf(asked.timeout_seconds, call);
  const since = epochsOf(model.state);
  const failed = new AbortController();
  // Whoever closes the input waits for what the program makes of all of it.
  const find = asked.eof ? undefined : () => before.hasMore() || undefined;
  // The wait is armed before the text is written.
  const first = control.nextOrPrinted(session.key, find, {
    ...limits,
    signal: AbortSignal.any([limits.signal, failed.signal]),
  });
  try {
    send(file, asked);
  } catch (error) {
    failed.abort();
    await first;
    throw error;
  }
  const outcome = await first;
  const last = outcome.kind === 'printed' ? await soon(services, session, limits, since) : outcome;
  return last.kind === 'timeout'
    ? await stillThere(session, services, before)
    : await reportRun(services, call, session.key, last, limits);
}

/** What happens soon after the program has printed something. */
async function soon(
  { control }: ToolServices,
  session: SessionState,
  limits: RunLimits,
  since: Epochs,
): Promise<Outcome> {
  const deadline = Math.min(limits.deadline, performance.now() + AFTER_OUTPUT_MS);
  return await control.next(session.key, { ...limits, deadline }, since);
}

/** Reports a program that neither stopped nor ended. */
async function stillThere(
  session: SessionState,
  { stops }: ToolServices,
  before: Printed,
  message?: string,
): Promise<Result> {
  const wait = await inputWaitOf(before.tree());
  const hasPrinted = before.hasMore();
  return defined({
    status: hasPrinted || message !== undefined ? ('success' as const) : ('timeout' as const),
    message: message ?? aboutReading(wait !== undefined, hasPrinted),
    hint: hasPrinted || message !== undefined ? undefined : 'Call wait_for_stop to wait longer.',
    session_id: session.id,
    waits_for_input: wait === undefined ? undefined : true,
    ...tailOf(stops.output.takeUnreported(before.tree())),
  });
}

function aboutReading(isWaiting: boolean, hasPrinted: boolean): string {
  if (isWaiting)
    return l10n.t(
      'It was written. The program still runs and waits for input on its standard input.',
    );
  return hasPrinted
    ? l10n.t('It was written. The program still runs.')
    : l10n.t(
        'It was written. The program still runs, has printed nothing since, and was not seen to wait for input: it may not have read it.',
      );
}

/** What the programs of a session tree have printed since a moment, unfinished lines included. */
class Printed {
  private readonly began: ReadonlyMap<string, { readonly cursor: number; readonly open: number }>;

  constructor(
    private readonly model: DebugModel,
    private readonly session: SessionState,
  ) {
    this.began = new Map(
      this.tree().map((member) => {
        const { cursor } = model.output(member);
        return [member.key, { cursor, open: this.lengthSince(member, cursor) }];
      }),
    );
  }

  tree(): readonly SessionState[] {
    const { state } = this.model;
    return treeOf(state, rootOf(state, state.sessions.get(this.session.key) ?? this.session));
  }

  hasMore(): boolean {
    return this.tree().some((member) => {
      const { cursor, open } = this.began.get(member.key) ?? { cursor: 0, open: 0 };
      return this.lengthSince(member, cursor) !== open;
    });
  }

  /** The characters of the lines after a cursor. An unfinished line is after every cursor. */
  private lengthSince(member: SessionState, cursor: number): number {
    const lines = this.model.output(member).read({ since: cursor });
    return lines.reduce((sum, { text }) => sum + text.length + 1, 0);
  }
}
