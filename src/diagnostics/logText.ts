import * as l10n from '@vscode/l10n';
import { logLine } from '../debugger/texts';
import type { CallRecord } from './calls';
import type { Filter } from './filter';
import type { MessageRecord } from './messages';

/** The heading of a document. It is translated. The entries below it are data and are not translated. */
export interface Heading {
  readonly title: string;
  readonly filter: Filter;
  readonly older: number;
  /** The number of entries that were dropped because there were too many. */
  readonly dropped: number;
  /** Whether contents are recorded. Undefined if that does not affect the document. */
  readonly isRecording?: boolean | undefined;
}

/** The lines above the entries. They state which entries are shown and which are left out. */
export function headingLines({
  title,
  filter,
  older,
  dropped,
  isRecording,
}: Heading): readonly string[] {
  const { sessions, kinds } = filter;
  const lines = [title];
  if (sessions !== undefined) lines.push(l10n.t('Sessions: {0}', sessions.join(', ')));
  if (kinds !== undefined) lines.push(l10n.t('Kinds: {0}', kinds.join(', ')));
  if (isRecording === true) lines.push(l10n.t('Contents of messages are being recorded.'));
  if (isRecording === false)
    lines.push(
      l10n.t(
        'Contents of messages are not recorded. To record them: command “Agent Debugger: Diagnostics”.',
      ),
    );
  if (older > 0) lines.push(l10n.t('{0} older entries: “Show Older Entries” above.', older));
  if (dropped > 0) lines.push(l10n.t('{0} entries were dropped to save memory.', dropped));
  return [...lines.map((line) => `# ${line}`), ''];
}

/** One entry: `12:00:00.123  s1  →  request   next #14  {…}`. @param text the redacted content */
export function messageLine(record: MessageRecord, session: string, text: string): string {
  const { at, direction, kind, name, number, failed } = record;
  const what = [
    ...(name === '' ? [] : [logLine(name, MAX_OF_A_NAME)]),
    ...(number === undefined ? [] : [`#${logLine(String(number), MAX_OF_A_NAME)}`]),
    ...(failed === true ? ['FAILED'] : []),
  ].join(' ');
  const parts = [
    clock(at),
    logLine(session, MAX_OF_A_NAME),
    direction === 'sent' ? '→' : '←',
    kind.padEnd(8),
    what,
    ...(text === '' ? [] : [oneLine(text)]),
  ];
  return parts.join('  ');
}

const MAX_OF_A_NAME = 100;

/** One call: `12:00:00.123  s1  step_execution  stopped  812 characters  35 ms  VS Code  approved  {…}`. */
export function callLogLine(record: CallRecord, input: string): string {
  const { at, tool, status, characters, milliseconds, caller, approval, facts } = record;
  const parts = [
    clock(at),
    facts.session ?? '-',
    logLine(tool, MAX_OF_A_NAME),
    [status ?? '-', ...(facts.code === undefined ? [] : [facts.code])]
      .map((part) => logLine(part))
      .join(' '),
    `${characters} characters`,
    `${Math.round(milliseconds)} ms`,
    logLine(caller, MAX_OF_A_NAME),
    ...(approval === 'none' ? [] : [approval]),
    oneLine(input),
  ];
  return parts.join('  ');
}

/** Replaces control characters. JSON contains no line ends, except in external text that was cut. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

/** The local time of day in milliseconds precision. */
export function clock(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
