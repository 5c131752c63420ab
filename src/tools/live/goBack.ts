import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { cutText } from '../../debugger/texts';
import { defined } from '../../util/defined';
import { defineTool } from '../defineTool';
import { launchItems } from '../launch/launchQuestion';
import { readTriggerLines } from '../trigger/triggerCard';
import { plain } from '../question';
import { reportStop } from '../reports/runReport';
import { maxChars, runOutcome, sessionId } from '../schemas';
import { goThere, mostRuns, type ReachedMoment, type WayBack } from './back/goThere';
import { wayTo } from './back/ways';
import { hitInput } from './writer/hitInput';
import { checkPort } from './writer/triggerPort';

const MAX_SECONDS = 40;

/** The maximum number of characters of a value that differs. */
const MAX_VALUE = 160;

const input = z.strictObject({
  stop_id: z.int().min(1).optional().describe('Of an earlier stop, also of an ended session.'),
  session_id: sessionId,
  ...hitInput,
  max_seconds: z.number().min(5).max(300).default(MAX_SECONDS).describe('For all runs together.'),
  max_chars: maxChars,
});

export const goBack = defineTool({
  name: 'go_back',
  set: 'live',
  effect: 'control',
  title: 'Go Back',
  userDescription: 'Runs the program again to an earlier stop',
  modelDescription:
    'Go back to an earlier stop, or to a hit of collect_values, of a Node or Python program: starts it again in a session of its own and leaves it stopped there, before the line runs. moment: same (calls and values are those of the first time), differs (what), not_compared (no value could be compared as a whole).',
  icon: 'debug-reverse-continue',
  input,
  output: runOutcome.extend({
    moment: z.enum(['same', 'differs', 'not_compared']).optional(),
    hit: z.int().optional(),
    same_values: z.int().optional(),
    differs: z.object({ what: z.string(), first: z.string(), again: z.string() }).optional(),
    why: z.array(z.string()).readonly().optional(),
    runs: z.int().optional(),
  }),
  needs: 'nothing',
  doing: () => l10n.t('Going back to an earlier moment'),
  question: async ({ input: request, services }) => {
    const { program, place, isAssumed } = wayTo(services, request);
    const lines = [
      l10n.t(
        'Start {0} again, at most {1} times, within {2} seconds, and leave it stopped. Other sessions stay where they are',
        `**${plain(program.name)}**`,
        mostRuns({ isAssumed }),
        request.max_seconds,
      ),
      ...(await launchItems(services, program.shown)),
      ...readTriggerLines(program.trigger),
      l10n.t(
        'Stop it at {0} and read its variables there. Code that counts the hits of this line is added to the program',
        `**${plain(place)}**`,
      ),
    ];
    return { title: l10n.t('Go back'), message: lines.join('\n- ') };
  },
  run: async ({ input: request, services, call }) => {
    const seconds = Math.min(request.max_seconds, call.maxWaitSeconds);
    const way = wayTo(services, request);
    await checkPort(way.program.trigger, call.signal);
    const arrival = await goThere(services, call, way, performance.now() + seconds * 1000);
    const report = await reportStop(services, call, arrival.sessionKey);
    return defined({ ...report, ...momentOf(way, arrival) });
  },
});

/** Says whether the reached moment is the one that was asked for. */
function momentOf({ why, number: assumed }: WayBack, { number, compared, runs }: ReachedMoment) {
  const { moment, differs, compared: values } = compared;
  const doubts =
    number === assumed
      ? why
      : [
          `Hit ${assumed} of the line had other values or was not reached; hit ${number} is the first with these.`,
          ...why,
        ];
  return {
    moment,
    hit: number,
    same_values: moment === 'same' ? values : undefined,
    differs: differs && {
      what: differs.what,
      first: cutText(differs.first, MAX_VALUE),
      again: cutText(differs.again, MAX_VALUE),
    },
    why: doubts.length === 0 ? undefined : doubts,
    runs,
  };
}
