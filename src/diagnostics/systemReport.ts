import * as l10n from '@vscode/l10n';
import { block, inlineCode, plainText, tableRow } from './markdown';

/** A setting whose value differs from its default. */
export interface ChangedSetting {
  readonly name: string;
  /** The value as JSON. */
  readonly value: string;
  /** The settings level that defines the value. */
  readonly from: string;
}

/** A debug type that an installed extension offers. */
export interface FoundAdapter {
  readonly type: string;
  readonly label: string;
  readonly extension: string;
  readonly version: string;
  /** The name of our description of its adapter. Undefined if the protocol's defaults are used for the adapter. */
  readonly knownAs: string | undefined;
}

/** The content of a system report. */
export interface SystemFacts {
  /** The name and version of each part. */
  readonly versions: readonly (readonly [name: string, version: string])[];
  readonly adapters: readonly FoundAdapter[];
  readonly settings: readonly ChangedSetting[];
  /** Lines of `environmentLines`. */
  readonly environment: readonly string[];
  /** The state of the extension, as names and values. */
  readonly state: readonly (readonly [name: string, value: string])[];
}

/** The system report as Markdown. */
export function systemReport(facts: SystemFacts, at: Date): string {
  const { versions, adapters, settings, environment, state } = facts;
  const lines = [
    `# ${l10n.t('System report of Agent Debugger')}`,
    '',
    at.toISOString(),
    '',
    `## ${l10n.t('Versions')}`,
    '',
    ...pairs(versions),
    '',
    `## ${l10n.t('State')}`,
    '',
    ...pairs(state),
    '',
    `## ${l10n.t('Debug adapters found')}`,
    '',
    ...adapterTable(adapters),
    '',
    `## ${l10n.t('Settings that differ from their defaults')}`,
    '',
    ...settingTable(settings),
    '',
    `## ${l10n.t('Environment')}`,
    '',
    l10n.t('Values are shown only for variables that are known to contain no secrets.'),
    '',
    ...block(environment.join('\n')),
  ];
  return `${lines.join('\n')}\n`;
}

function pairs(entries: SystemFacts['versions']): readonly string[] {
  return entries.map(([name, value]) => `- ${plainText(name)}: ${inlineCode(value)}`);
}

function adapterTable(adapters: readonly FoundAdapter[]): readonly string[] {
  if (adapters.length === 0) return [l10n.t('None.')];
  return [
    tableRow([l10n.t('Type'), l10n.t('Name'), l10n.t('Extension'), l10n.t('Known as')]),
    '| --- | --- | --- | --- |',
    ...adapters.map(({ type, label, extension, version, knownAs }) =>
      tableRow([
        inlineCode(type),
        plainText(label),
        inlineCode(`${extension} ${version}`),
        knownAs === undefined ? '-' : inlineCode(knownAs),
      ]),
    ),
  ];
}

function settingTable(settings: readonly ChangedSetting[]): readonly string[] {
  if (settings.length === 0) return [l10n.t('None.')];
  return [
    tableRow([l10n.t('Setting'), l10n.t('Value'), l10n.t('Set in')]),
    '| --- | --- | --- |',
    ...settings.map(({ name, value, from }) =>
      tableRow([inlineCode(name), inlineCode(value), plainText(from)]),
    ),
  ];
}
