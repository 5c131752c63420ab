import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { clauses, listed } from '../../results/listing';
import { wholeCode } from '../question';
import type { ToolServices } from '../services';
import { isLoopback, readTrigger, type ReadTrigger, type TriggerInput } from './triggerInput';

/**
 * Returns the line about a trigger for the question, in Markdown, and none without a trigger. It shows the whole
 * request.
 * @throws Failure if the call would fail
 */
export async function triggerLines(
  services: ToolServices,
  input: TriggerInput | undefined,
): Promise<readonly string[]> {
  return input === undefined ? [] : readTriggerLines(await readTrigger(services, input));
}

/** The same line about a trigger that was read before. */
export function readTriggerLines(trigger: ReadTrigger | undefined): readonly string[] {
  if (trigger === undefined) return [];
  return [l10n.t('{0}: {1}', whenLine(trigger), clauses(whatLines(trigger)))];
}

function whenLine({ after, afterPort }: ReadTrigger): string {
  if (after !== undefined) return l10n.t('When it prints {0}', wholeCode(after.source));
  return afterPort === undefined
    ? l10n.t('When it runs')
    : l10n.t('When port {0} accepts connections', afterPort);
}

function whatLines({ request }: ReadTrigger): readonly string[] {
  if (request.kind === 'command') {
    const line = [request.command, ...request.args].map((part) => wholeCode(part)).join(' ');
    return [
      request.cwd === undefined
        ? l10n.t('run {0}', line)
        : l10n.t('run {0} in {1}', line, wholeCode(path.basename(request.cwd))),
    ];
  }
  const { url, method, headers, body } = request;
  const lines = Object.entries(headers).map(([name, value]) => wholeCode(`${name}: ${value}`));
  return [
    l10n.t('send {0}', wholeCode(`${method} ${url.href}`)),
    ...(isLoopback(url) ? [] : [l10n.t('**to another computer** ({0})', wholeCode(url.host))]),
    ...(lines.length === 0 ? [] : [l10n.t('with the headers {0}', listed(lines))]),
    ...(body === undefined ? [] : [l10n.t('with the body {0}', wholeCode(body))]),
  ];
}
