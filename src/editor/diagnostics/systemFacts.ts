import { arch, cpus, release, type } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { adapterOf, isKnownType } from '../../debugger/adapters/registry';
import { fields, listOf, textOf } from '../../debugger/protocol';
import { environmentLines } from '../../diagnostics/environment';
import type { ChangedSetting, FoundAdapter, SystemFacts } from '../../diagnostics/systemReport';

/** Facts about the extension's own state: name and value. */
type State = SystemFacts['state'];

/** Reads the facts of a system report. */
export function systemFacts(extension: vscode.Extension<unknown>, state: State): SystemFacts {
  return {
    versions: versionsOf(extension),
    adapters: adaptersFound(),
    settings: changedSettings(extension),
    environment: environmentLines(process.env),
    state: [...windowState(), ...state],
  };
}

/** The versions in one line, for transcripts. */
export function versionLine(extension: vscode.Extension<unknown>): string {
  return `Agent Debugger ${versionOf(extension)}, ${vscode.env.appName} ${vscode.version}`;
}

function versionOf(extension: vscode.Extension<unknown>): string {
  return textOf(fields(extension.packageJSON)['version']) ?? '?';
}

function versionsOf(extension: vscode.Extension<unknown>): State {
  const { node, v8 } = process.versions;
  return [
    ['Agent Debugger', versionOf(extension)],
    [vscode.env.appName, vscode.version],
    ['Node.js', node],
    ['V8', v8],
    [l10n.t('Operating system'), `${type()} ${release()} ${arch()}`],
  ];
}

function windowState(): State {
  const { heapUsed, rss } = process.memoryUsage();
  return [
    [l10n.t('Language'), vscode.env.language],
    [l10n.t('Remote'), vscode.env.remoteName ?? '-'],
    [l10n.t('User interface'), vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop'],
    [l10n.t('Workspace trusted'), String(vscode.workspace.isTrusted)],
    [l10n.t('Workspace folders'), String(vscode.workspace.workspaceFolders?.length ?? 0)],
    [l10n.t('Processors'), String(cpus().length)],
    [l10n.t('Memory of the extension host'), `${megabytes(heapUsed)} / ${megabytes(rss)}`],
  ];
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}

/** The debug types of all installed extensions. */
function adaptersFound(): readonly FoundAdapter[] {
  return vscode.extensions.all.flatMap((extension) => {
    const manifest = fields(extension.packageJSON);
    const debuggers = listOf(fields(manifest['contributes'])['debuggers']).map(fields);
    return debuggers.flatMap((contribution) => {
      const type = textOf(contribution['type']);
      // A manifest may contribute to all types.
      if (type === undefined || type === '*') return [];
      return {
        type,
        label: textOf(contribution['label']) ?? type,
        extension: extension.id,
        version: textOf(manifest['version']) ?? '?',
        knownAs: isKnownType(type) ? adapterOf(type).name : undefined,
      };
    });
  });
}

/** The extension's settings that differ from their defaults. The person's own patterns are only counted. */
function changedSettings(extension: vscode.Extension<unknown>): readonly ChangedSetting[] {
  const contributes = fields(fields(extension.packageJSON)['contributes']);
  const names = Object.keys(fields(fields(contributes['configuration'])['properties']));
  return names.flatMap((name) => {
    const inspected = fields(vscode.workspace.getConfiguration().inspect(name));
    return PLACES.flatMap(([key, from]) => {
      const value = inspected[key];
      if (value === undefined) return [];
      const shown = Array.isArray(value) ? l10n.t('{0} entries', value.length) : value;
      return { name, value: JSON.stringify(shown), from: from() };
    });
  });
}

const PLACES: readonly (readonly [key: string, from: () => string])[] = [
  ['globalValue', () => l10n.t('User settings')],
  ['workspaceValue', () => l10n.t('Workspace settings')],
  ['workspaceFolderValue', () => l10n.t('Folder settings')],
];
