import * as l10n from '@vscode/l10n';
import type { z } from 'zod';
import type { TriggerEnd } from '../../control/triggers/trigger';
import type { Trigger } from '../../control/triggers/triggers';
import { defined } from '../../util/defined';
import type { triggerResult } from '../schemas';

export type TriggerResult = z.input<typeof triggerResult>;

/** Returns what became of a trigger, for the result of a call. */
export function triggerReport(trigger: Trigger): TriggerResult {
  const { end, state } = trigger;
  if (end !== undefined) {
    const result = ofEnd(end);
    return end.kind === 'aborted' ? result : { ...result, duration_ms: trigger.durationMs };
  }
  if (state === 'pending')
    return {
      state: 'pending',
      duration_ms: trigger.durationMs,
      message: l10n.t('It was sent and has not ended. The call in which it ends reports it.'),
    };
  return { state: 'not_sent', message: whyNotSent(trigger) };
}

function whyNotSent({ plan: { after, afterPort } }: Trigger): string {
  if (after !== undefined)
    return l10n.t('During the call, the program did not run on to a line that matches after.');
  return afterPort === undefined
    ? l10n.t('During the call, the program was not ready.')
    : l10n.t('During the call, the program did not listen on port {0}.', afterPort);
}

function ofEnd(end: TriggerEnd): TriggerResult {
  switch (end.kind) {
    case 'answered': {
      const { status, headers, body } = end;
      const message = aboutAnswer(end);
      return {
        ...{ state: end.isPartial ? 'failed' : 'completed', http_status: status, headers },
        ...defined({ body: body.bytes === 0 ? undefined : body.text, message }),
      };
    }
    case 'exited': {
      const { code, signal, output } = end;
      const message = signal === undefined ? undefined : l10n.t('{0} ended the command.', signal);
      return {
        state: 'completed',
        output: output.text,
        ...defined({ exit_code: code, message }),
      };
    }
    case 'failed':
      return { state: 'failed', message: aboutFailure(end) };
    case 'aborted':
      return {
        state: 'failed',
        message: l10n.t('It was aborted, because the session that it was sent for has ended.'),
      };
  }
}

function aboutAnswer({
  status,
  headers,
  body,
  isPartial,
}: Extract<TriggerEnd, { kind: 'answered' }>): string | undefined {
  if (isPartial)
    return l10n.t(
      'The connection was closed before the end of the answer, after {0} bytes of its body.',
      body.bytes,
    );
  const location = headers['location'];
  if (status >= 300 && status < 400 && location !== undefined)
    return l10n.t('It redirects to {0}. Redirects are not followed.', location);
  return body.isCut
    ? l10n.t('The body has {0} bytes; its middle is left out.', body.bytes)
    : undefined;
}

function aboutFailure({ code, message }: Extract<TriggerEnd, { kind: 'failed' }>): string {
  switch (code) {
    case 'ECONNREFUSED':
      return l10n.t('The connection was refused: nothing listens there ({0}).', message);
    case 'ECONNRESET':
      return l10n.t('The connection was closed without an answer ({0}).', message);
    case 'ENOENT':
      return l10n.t('There is no such program ({0}).', message);
    default:
      return message;
  }
}
