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
  /** What a screen reader says: all that the entry shows, the icon too. */
  readonly spoken: string;
  /** A codicon's name, and the theme's color for it. */
  readonly icon: string;
  readonly color?: string | undefined;
  /** What a click goes to. */
  readonly place?: Place | undefined;
  readonly children: readonly TimelineEntry[];
}

/** As many calls as a person looks through; the transcript has all. */
const MOST_SHOWN = 300;
const MOST_OF_A_LABEL = 200;

/** The newest calls, the newest first; before them those that run now. */
export function timelineEntries(
  records: readonly CallRecord[],
  running: readonly { readonly doing: string }[],
): readonly TimelineEntry[] {
  const now = running.map(({ doing }, index) => runningEntry(doing, index));
  const shown = records.slice(-MOST_SHOWN).reverse().map(callEntry);
  const left = records.length - shown.length;
  return [...now, ...shown, ...(left > 0 ? [olderEntry(left)] : [])];
}

function runningEntry(doing: string, index: number): TimelineEntry {
  const description = l10n.t('running');
  return {
    id: `running ${index}`,
    label: logLine(doing, MOST_OF_A_LABEL),
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
  // Of a call that has not run, the description says what the person answered.
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

/** The place, and what tells the call from others of its kind. */
function descriptionOf({ facts, approval, status }: CallRecord): string {
  const { place, changes, outcome, value, code, exitCode } = facts;
  const last = changes.at(-1);
  const words = [
    ...(place === undefined ? [] : [placeText(place)]),
    ...(status === undefined ? [approvalText(approval) ?? ''] : []),
    ...(code === undefined ? [] : [code]),
    ...(outcome === undefined ? [] : [outcome]),
    ...(last === undefined ? [] : [changeText(last)]),
    ...(value === undefined ? [] : [`= ${value}`]),
    ...(exitCode === undefined ? [] : [l10n.t('exit code {0}', exitCode)]),
  ];
  return logLine(words.join('  '), MOST_OF_A_LABEL);
}

interface Icon {
  readonly icon: string;
  readonly color?: string;
}

/** Outcomes that a person looks for. */
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
    ...facts.changes.map((each) => ({
      icon: 'symbol-variable',
      kind: l10n.t('Changed'),
      text: changeText(each),
      place: facts.place,
    })),
    ...one('symbol-constant', l10n.t('Value'), facts.value),
    ...one('info', l10n.t('Message'), facts.message),
    ...facts.output.map((text) => ({ icon: 'output', kind: l10n.t('Output'), text })),
    ...one('person', l10n.t('You'), approvalText(record.approval)),
    ...one('account', l10n.t('Made by'), record.caller),
    ...one('watch', l10n.t('Result'), resultText(record)),
  ];
  return details.map((each, index) => detailEntry(record.id, index, each));
}

function resultText(record: CallRecord): string | undefined {
  const status = statusText(record);
  return status === undefined
    ? undefined
    : [status, l10n.t('{0} ms', Math.round(record.milliseconds))].join(', ');
}

interface Detail {
  readonly icon: string;
  /** What it is, for a screen reader and as the description. */
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
  const label = logLine(detail.text, MOST_OF_A_LABEL);
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
