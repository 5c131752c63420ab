import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { rootOf } from '../../debugger/state/state';
import { launchItems } from '../launch/launchQuestion';
import { nameOfFrame } from '../core/place';
import { defineTool } from '../defineTool';
import { plain, wholeCode } from '../question';
import { maxChars, resultSchema } from '../schemas';
import { askedFor, languageOf, planAgain } from './writer/firstStop';
import { findWrite } from './writer/findRun';
import { writerReport } from './writer/report';

const MAX_SECONDS = 40;

export const findWriter = defineTool({
  name: 'find_writer',
  set: 'live',
  effect: 'change',
  title: 'Find Writer',
  userDescription: 'Says which line wrote a value, by running the program again',
  modelDescription:
    'The value is wrong: ask who wrote it. At a stop of a Node or Python program, names the last line that wrote a variable, member or element: value before and after, stack. Starts the program again, at most twice, in a session of its own. sure: seen (the line was seen changing this very object), agreed, ambiguous (candidates), none (no write seen).',
  icon: 'history',
  input: z.strictObject({
    expression: z
      .string()
      .min(1)
      .max(300)
      .describe('Such as total, order.total or rows[3]["price"].'),
    max_seconds: z
      .number()
      .min(5)
      .max(300)
      .default(MAX_SECONDS)
      .describe('Longest time of both runs together.'),
    max_chars: maxChars,
  }),
  output: resultSchema(['success'], {
    expression: z.string().optional(),
    sure: z.enum(['seen', 'agreed', 'ambiguous', 'none']).optional(),
    at: z.string().optional(),
    code_line: z.string().optional(),
    before: z.string().optional(),
    after: z.string().optional(),
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
  }),
  needs: 'frame',
  doing: () => l10n.t('Finding the line that wrote a value'),
  question: async ({ input, target: { session, frame }, services }) => {
    languageOf(session);
    askedFor(input.expression);
    const plan = planAgain(services, session);
    const root = rootOf(services.model.state, session);
    const lines = [
      l10n.t(
        'Start {0} again, at most 2 times, within {1} seconds, and end it each time. Each run may go on to the end of the program. This session stays where it is',
        `**${plain(root.name)}**`,
        input.max_seconds,
      ),
      ...(await launchItems(services, plan)),
      l10n.t(
        'Read {0} in these runs and in {1}, and what lines before it change, by code that is added to the program',
        wholeCode(input.expression),
        nameOfFrame(session, frame),
      ),
    ];
    return { title: l10n.t('Find writer'), message: lines.join('\n- ') };
  },
  run: async ({ input, target: { session, frame }, services, call }) => {
    const seconds = Math.min(input.max_seconds, call.maxWaitSeconds);
    const found = await findWrite(services, call, session, frame, input.expression, seconds);
    return await writerReport(services, found);
  },
});
