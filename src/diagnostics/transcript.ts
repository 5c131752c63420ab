import * as l10n from '@vscode/l10n';
import type { CallFacts, ChangedValue, Place } from './callFacts';
import type { Approval, CallRecord } from './calls';
import { clock } from './logText';
import { block, inlineCode, plainText, tableRow } from './markdown';

/** A call in a transcript, already redacted. */
export interface TranscriptCall {
  readonly record: CallRecord;
  readonly input: string;
}

export interface TranscriptOptions {
  readonly calls: readonly TranscriptCall[];
  /** The number of calls that were dropped because there were too many. */
  readonly dropped: number;
  readonly at: Date;
  readonly versions: string;
}

/** A transcript of an agent's calls as Markdown: each call with its place, values, output and the person's answer. */
export function transcript({ calls, dropped, at, versions }: TranscriptOptions): string {
  const callers = [...new Set(calls.map(({ record }) => record.caller))];
  const lines = [
    `# ${l10n.t('What the agent did')}`,
    '',
    `${plainText(versions)}, ${at.toISOString()}`,
    '',
    l10n.t('Calls: {0}. Made by: {1}.', calls.length, callers.map(plainText).join(', ') || '-'),
    '',
  ];
  if (dropped > 0) lines.push(l10n.t('{0} older calls are not kept.', dropped), '');
  for (const [index, call] of calls.entries()) lines.push(...callLines(call, index + 1));
  return `${lines.join('\n').trimEnd()}\n`;
}

function callLines({ record, input }: TranscriptCall, number: number): readonly string[] {
  const { title, tool, facts } = record;
  const lines = [
    `## ${number}. ${plainText(title)}${facts.place === undefined ? '' : `: ${plainText(placeText(facts.place))}`}`,
    '',
    [clock(record.at), plainText(record.caller), inlineCode(tool), ...outcomeParts(record)].join(
      ' · ',
    ),
    '',
    ...block(input, 'json'),
    '',
  ];
  return [...lines, ...factLines(facts)];
}

function factLines(facts: CallFacts): readonly string[] {
  const { reason, message, value, changes, output } = facts;
  const lines: string[] = [];
  if (reason !== undefined) lines.push(l10n.t('Stopped: {0}', inlineCode(reason)), '');
  if (message !== undefined) lines.push(plainText(message), '');
  if (value !== undefined) lines.push(...block(value), '');
  if (changes.length > 0) lines.push(...changeTable(changes), '');
  if (output.length > 0) lines.push(l10n.t('Output:'), '', ...block(output.join('\n')), '');
  return lines;
}

function changeTable(changes: readonly ChangedValue[]): readonly string[] {
  return [
    tableRow([l10n.t('Variable'), l10n.t('Before'), l10n.t('Now')]),
    '| --- | --- | --- |',
    ...changes.map(({ name, before, now }) =>
      tableRow([inlineCode(name), before === undefined ? '' : inlineCode(before), inlineCode(now)]),
    ),
  ];
}

/** The status, the person's answer, and the duration. */
function outcomeParts(record: CallRecord): readonly string[] {
  const { status, approval, milliseconds, facts } = record;
  const code = [facts.code, facts.outcome].filter((part) => part !== undefined);
  const asked = approvalText(approval);
  return [
    ...(status === undefined ? [] : [[status, ...code].join(': ')]),
    ...(asked === undefined ? [] : [asked]),
    ...(status === undefined ? [] : [l10n.t('{0} ms', Math.round(milliseconds))]),
  ];
}

/** The person's answer. Undefined if no question was asked. */
export function approvalText(approval: Approval): string | undefined {
  switch (approval) {
    case 'none':
      return undefined;
    case 'waiting':
      return l10n.t('waits for your approval');
    case 'approved':
      return l10n.t('approved');
    case 'declined':
      return l10n.t('declined');
    case 'skipped':
      return l10n.t('skipped');
  }
}

/** A place in the usual notation: the file's name and the line. */
export function placeText({ file, line }: Place): string {
  return `${file.split(/[\\/]/).at(-1) ?? file}:${line}`;
}

/** A changed value in one line. */
export function changeText({ name, before, now }: ChangedValue): string {
  return before === undefined ? `${name} = ${now}` : `${name}: ${before} → ${now}`;
}
