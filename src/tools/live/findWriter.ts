import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { Failure } from '../../results/failure';
import { launchItems } from '../launch/launchQuestion';
import { nameOfFrame } from '../core/place';
import { defineTool } from '../defineTool';
import { shortPath } from '../files/files';
import { plain, wholeCode } from '../question';
import { readTriggerLines } from '../trigger/triggerCard';
import { maxChars, resultSchema } from '../schemas';
import type { Call, ToolServices } from '../services';
import type { Targets } from '../target';
import { findChain } from './writer/chain';
import { askedFor, languageOf, programOf } from './writer/firstStop';
import { originAt } from './writer/findRun';
import { hitInput } from './writer/hitInput';
import { hitAsked, originAtHit, placeOfHit, type AskedHit } from './writer/hitOrigin';
import type { Origin, ProgramAgain } from './writer/origin';
import { checkPort } from './writer/triggerPort';
import { writerReport } from './writer/writerReport';

const MAX_SECONDS = 40;
const MAX_STEPS = 5;

/** The maximum number of times that a step starts the program. Mostly it is two. */
const RUNS_OF_STEP = 3;

const input = z.strictObject({
  expression: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Such as total, order.total or rows[3]["price"]. With of: one of its inputs.'),
  of: z
    .string()
    .min(1)
    .max(20)
    .optional()
    .describe('answer_id: go on backwards, to the writer of what that line read.'),
  ...hitInput,
  steps: z
    .int()
    .min(1)
    .max(MAX_STEPS)
    .default(1)
    .describe('Go back so often, while one value is read.'),
  max_seconds: z
    .number()
    .min(5)
    .max(300)
    .default(MAX_SECONDS)
    .describe('Longest time of all runs together.'),
  max_chars: maxChars,
});

type Input = z.output<typeof input>;

const write = {
  answer_id: z.string().optional(),
  expression: z.string().optional(),
  sure: z.enum(['seen', 'agreed', 'ambiguous', 'none']).optional(),
  at: z.string().optional(),
  code_line: z.string().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
  returned_at: z.string().optional(),
  inputs: z.record(z.string(), z.string()).optional(),
};

export const findWriter = defineTool({
  name: 'find_writer',
  set: 'live',
  effect: 'change',
  title: 'Find Writer',
  userDescription: 'Says which line wrote a value, by running the program again',
  modelDescription:
    'The value is wrong: ask who wrote it. At a stop of a Node or Python program, or at a hit of collect_values, names the last line that wrote a variable, member or element: value before and after, stack, and inputs: what that line read (of the value of a call: what the return line read, returned_at). With of, goes on backwards from an answer. Starts the program again, at most three times a step, in a session of its own. sure: seen (the line was seen changing this very object), agreed, ambiguous (candidates), none (no write seen).',
  icon: 'history',
  input,
  output: resultSchema(['success'], {
    ...write,
    stack: z.array(z.string()).readonly().optional(),
    why: z.array(z.string()).readonly().optional(),
    differs: z
      .object({
        what: z.string(),
        at: z.string().optional(),
        first: z.string(),
        again: z.string(),
      })
      .optional(),
    candidates: z
      .array(z.object({ at: z.string(), code_line: z.string(), hits: z.int(), saw: z.string() }))
      .readonly()
      .optional(),
    searched: z.array(z.string()).readonly().optional(),
    runs: z.int().optional(),
    earlier: z
      .array(z.object({ ...write, why: z.string().optional() }))
      .readonly()
      .optional(),
    chain_end: z.string().optional(),
  }),
  needs: 'frameOrAnswer',
  doing: () => l10n.t('Finding the line that wrote a value'),
  question: async ({ input: request, target, services }) => {
    const { program, expression, place } = askedIn(services, request, target);
    const runs = RUNS_OF_STEP * request.steps + (request.collection_id === undefined ? 0 : 1);
    const limits = [`**${plain(program.name)}**`, runs, request.max_seconds] as const;
    const lines = [
      target === undefined
        ? l10n.t(
            'Start {0} again, at most {1} times, within {2} seconds, and end it each time. Each run may go on to the end of the program',
            ...limits,
          )
        : l10n.t(
            'Start {0} again, at most {1} times, within {2} seconds, and end it each time. Each run may go on to the end of the program. This session stays where it is',
            ...limits,
          ),
      ...(await launchItems(services, program.shown)),
      ...readTriggerLines(program.trigger),
      l10n.t(
        'Read {0} in these runs and in {1}, and what lines before it change, by code that is added to the program',
        wholeCode(expression),
        place,
      ),
    ];
    if (request.steps > 1)
      lines.push(
        l10n.t(
          'Then do the same for the value that was assigned to it, up to {0} steps back',
          request.steps,
        ),
      );
    return { title: l10n.t('Find writer'), message: lines.join('\n- ') };
  },
  run: async ({ input: request, target, services, call }) => {
    const seconds = Math.min(request.max_seconds, call.maxWaitSeconds);
    const deadline = performance.now() + seconds * 1000;
    await checkPort(askedIn(services, request, target).program.trigger, call.signal);
    const origin = await originOf(services, call, request, target, deadline);
    const chain = await findChain(services, call, origin, request.steps, deadline);
    return await writerReport(services, chain);
  },
});

/** Finds the moment at which a call asks for a value, and reads the value. @throws Failure */
async function originOf(
  services: ToolServices,
  call: Call,
  request: Input,
  target: Targets['frameOrAnswer'],
  deadline: number,
): Promise<Origin> {
  if (target !== undefined)
    return await originAt(services, call, target.session, target.frame, expressionOf(request));
  if (request.collection_id === undefined) return continuedOrigin(services, request);
  const asked = hitIn(services, request);
  return await originAtHit(services, call, asked, expressionOf(request), deadline);
}

/** The hit that a call names. @throws Failure */
function hitIn(services: ToolServices, request: Input): AskedHit {
  if (request.of === undefined) return hitAsked(services, request);
  throw new Failure(
    'invalid_input',
    l10n.t('An answer and a collection were passed.'),
    'Pass of, or collection_id and hit: each has its own moment. Nothing was started.',
  );
}

interface AskedIn {
  readonly program: ProgramAgain;
  readonly expression: string;
  /** Where it is read, in Markdown. */
  readonly place: string;
}

/** What a call asks about. A call that would fail is not asked about. @throws Failure */
function askedIn(
  services: ToolServices,
  request: Input,
  target: Targets['frameOrAnswer'],
): AskedIn {
  if (target === undefined && request.collection_id !== undefined) {
    const asked = hitIn(services, request);
    const { expression } = askedFor(expressionOf(request));
    const place = `**${plain(placeOfHit(services, asked))}**`;
    return { program: asked.program, expression, place };
  }
  if (target === undefined) {
    const { program, stop } = continuedOrigin(services, request);
    const place = `**${plain(`${shortPath(services, stop.path)}:${stop.frame.line}`)}**`;
    return { program, expression: stop.asked.expression, place };
  }
  const { session, frame } = target;
  languageOf(session);
  const { expression } = askedFor(expressionOf(request));
  return { program: programOf(services, session), expression, place: nameOfFrame(session, frame) };
}

function expressionOf({ expression }: Input): string {
  if (expression !== undefined) return expression;
  throw new Failure(
    'invalid_input',
    l10n.t('There is no expression.'),
    'Pass expression, such as order.total, or of with the answer_id of an earlier answer. Nothing was started.',
  );
}

/** Returns the input that a call names. Answers show a part of a long expression, which must fit one input only. */
function inputNamed(inputs: readonly Origin[], expression: string): Origin | undefined {
  const exact = inputs.find(({ stop }) => stop.asked.expression === expression);
  if (exact !== undefined || !expression.endsWith('…')) return exact;
  const [found, second] = inputs.filter(({ stop }) =>
    stop.asked.expression.startsWith(expression.slice(0, -1)),
  );
  return second === undefined ? found : undefined;
}

/** Returns the value from which a call goes on backwards. @throws Failure `invalid_input` */
function continuedOrigin(
  { writers }: Pick<ToolServices, 'writers'>,
  { of = '', expression }: Input,
): Origin {
  const answer = writers.get(of);
  if (answer === undefined)
    throw new Failure(
      'invalid_input',
      l10n.t('There is no answer {0}.', of),
      `of takes the answer_id of an earlier find_writer in this window${writers.ids().length === 0 ? '' : `: ${writers.ids().slice(-10).join(', ')}`}. Nothing was started.`,
    );
  const { inputs, followed } = answer;
  const origin = expression === undefined ? followed : inputNamed(inputs, expression.trim());
  if (origin !== undefined) return origin;
  const names = inputs.map(({ stop }) => stop.asked.expression).join(', ');
  throw new Failure(
    'invalid_input',
    l10n.t('The answer {0} does not say which value to go on with.', of),
    inputs.length === 0
      ? 'Its line is not sure, or read no value. Stop where the value is wrong, and call find_writer there. Nothing was started.'
      : `Pass one of its inputs as expression: ${names}. Nothing was started.`,
  );
}
