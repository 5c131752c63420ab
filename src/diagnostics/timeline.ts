import * as l10n from '@vscode/l10n';
import { logLine } from '../debugger/texts';
import type { CallFacts, Place } from './callFacts';
import type { CallRecord } from './calls';
import { approvalText, changeText, placeText } from './transcript';

/** An entry of the timeline: a call, or a detail of one. */
export interface TimelineEntry {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** The text for screen readers: everything that the entry shows, including the icon. */
  readonly spoken: string;
  /** The name of a codicon. `color` is its theme color. */
  readonly icon: string;
  readonly color?: string | undefined;
  /** The place that a click opens. */
  readonly place?: Place | undefined;
  readonly children: readonly TimelineEntry[];
}

/** The maximum number of calls that are shown. The transcript contains all calls. */
const MAX_SHOWN = 300;
const MAX_OF_A_LABEL = 200;

/** The calls that are currently running, then the newest completed calls, newest first. */
export function timelineEntries(
  records: readonly CallRecord[],
  running: readonly { readonly doing: string }[],
): readonly TimelineEntry[] {
  const now = running.map(({ doing }, index) => runningEntry(doing, index));
  const shown = records.slice(-MAX_SHOWN).reverse().map(callEntry);
  const left = records.length - shown.length;
  return [...now, ...shown, ...(left > 0 ? [olderEntry(left)] : [])];
}

function runningEntry(doing: string, index: number): TimelineEntry {
  const description = l10n.t('running');
  return {
    id: `running ${index}`,
    label: logLine(doing, MAX_OF_A_LABEL),
    description,
    spoken: `${doing}, ${description}`,
    icon: 'play-circle',
    children: [],
  };
}

function olderEntry(count: number): TimelineEntry {
  const label = l10n.t('{0} older calls are in the transcript', count);
  return { id: 'older', label, description: '', spoken: label, icon: 'ellipsis', children: [] };
}

function callEntry(record: CallRecord): TimelineEntry {
  const { id, title, facts } = record;
  const description = descriptionOf(record);
  const { icon, color } = iconOf(record);
  // For a call that has not run, the description contains the person's answer.
  const answer = record.status === undefined ? undefined : approvalText(record.approval);
  return {
    id: `call ${id}`,
    label: title,
    description,
    spoken: [title, statusText(record), answer, description].filter(isNoted).join(', '),
    icon,
    color,
    place: facts.place,
    children: detailsOf(record),
  };
}

function isNoted(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/** The status, and the code of an error. */
function statusText({ status, facts }: CallRecord): string | undefined {
  return status === undefined || facts.code === undefined ? status : `${status}: ${facts.code}`;
}

/** The place, and the data that distinguishes the call from similar ones. */
function descriptionOf({ facts, approval, status }: CallRecord): string {
  const { place, changes, outcome, value, code, exitCode } = facts;
  const last = changes.at(-1);
  const parts = [
    ...(place === undefined ? [] : [placeText(place)]),
    ...(status === undefined ? [approvalText(approval) ?? ''] : []),
    ...(code === undefined ? [] : [code]),
    ...(outcome === undefined ? [] : [outcome]),
    ...(last === undefined ? [] : [changeText(last)]),
    ...(value === undefined ? [] : [`= ${value}`]),
    ...(exitCode === undefined ? [] : [l10n.t('exit code {0}', exitCode)]),
  ];
  return logLine(parts.join('  '), MAX_OF_A_LABEL);
}

interface Icon {
  readonly icon: string;
  readonly color?: string;
}

/** Outcomes that are shown as errors. */
const BAD: ReadonlySet<string | undefined> = new Set(['failed', 'errored', 'refuted']);

function iconOf({ status, approval, facts }: CallRecord): Icon {
  if (approval === 'declined' || approval === 'skipped')
    return { icon: 'circle-slash', color: 'testing.iconSkipped' };
  if (BAD.has(facts.outcome)) return { icon: 'error', color: 'testing.iconFailed' };
  switch (status) {
    case undefined:
      return { icon: 'question', color: 'testing.iconQueued' };
    case 'error':
      return { icon: 'error', color: 'testing.iconFailed' };
    case 'stopped':
      return { icon: 'debug-stackframe', color: 'debugIcon.breakpointCurrentStackframeForeground' };
    case 'timeout':
      return { icon: 'clock', color: 'testing.iconQueued' };
    case 'interrupted':
      return { icon: 'circle-slash', color: 'testing.iconSkipped' };
    default:
      return { icon: 'pass', color: 'testing.iconPassed' };
  }
}

function detailsOf(record: CallRecord): readonly TimelineEntry[] {
  const { facts } = record;
  const details = [
    ...placeDetails(facts),
    ...facts.changes.map((change) => ({
      icon: 'symbol-variable',
      kind: l10n.t('Changed'),
      text: changeText(change),
      place: facts.place,
    })),
    ...one('symbol-constant', l10n.t('Value'), facts.value),
    ...one('info', l10n.t('Message'), facts.message),
    ...facts.output.map((text) => ({ icon: 'output', kind: l10n.t('Output'), text })),
    ...one('person', l10n.t('You'), approvalText(record.approval)),
    ...one('account', l10n.t('Made by'), record.caller),
    ...one('watch', l10n.t('Result'), resultText(record)),
  ];
  return details.map((detail, index) => detailEntry(record.id, index, detail));
}

function resultText(record: CallRecord): string | undefined {
  const status = statusText(record);
  return status === undefined
    ? undefined
    : [status, l10n.t('{0} ms', Math.round(record.milliseconds))].join(', ');
}

interface Detail {
  readonly icon: string;
  /** The kind of detail, for screen readers and as the description. */
  readonly kind: string;
  readonly text: string;
  readonly place?: Place | undefined;
}

function one(icon: string, kind: string, text: string | undefined): readonly Detail[] {
  return text === undefined ? [] : [{ icon, kind, text }];
}

function placeDetails({ place, functionName, reason }: CallFacts): readonly Detail[] {
  if (place === undefined) return one('debug-stackframe', l10n.t('Stopped'), reason);
  const where =
    functionName === undefined
      ? placeText(place)
      : l10n.t('{0} in {1}', placeText(place), functionName);
  const text = reason === undefined ? where : `${where}: ${reason}`;
  return [{ icon: 'go-to-file', kind: l10n.t('Place'), text, place }];
}

function detailEntry(call: number, index: number, detail: Detail): TimelineEntry {
  const { icon, kind, place } = detail;
  const label = logLine(detail.text, MAX_OF_A_LABEL);
  return {
    id: `call ${call} ${index}`,
    label,
    description: kind,
    spoken: `${kind}: ${label}`,
    icon,
    place,
    children: [],
  };
}
