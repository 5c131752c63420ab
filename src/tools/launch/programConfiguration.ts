import { scannedText } from '../files/scannedText';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { adapterOf, extensionForLanguage, typesFor } from '../../debugger/adapters/registry';
import { Failure } from '../../results/failure';
import { fields, textOf } from '../../debugger/protocol';
import type { InstalledDebugger, ToolServices } from '../services';
import { debuggerNotInstalled } from './missingDebugger';

/** The properties of a made-up configuration that depend on the debugger. */
export interface MadeConfiguration {
  readonly type: string;
  readonly [property: string]: unknown;
}

type WithWorkspace = Pick<ToolServices, 'workspace'>;

/** The languages of files for which VS Code has no language. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.jsx': 'javascript',
  '.tsx': 'typescript',
  '.py': 'python',
  '.go': 'go',
  '.java': 'java',
  '.c': 'c',
  '.cc': 'cpp',
  '.cpp': 'cpp',
  '.cxx': 'cpp',
  '.rs': 'rust',
  '.swift': 'swift',
};

/** Returns the language of a file by its extension, if the extension is in the table. */
export function languageByExtension(file: string): string | undefined {
  return BY_EXTENSION[path.extname(file).toLowerCase()];
}

/** The compiled languages. Their source files cannot be run. */
const COMPILED: ReadonlySet<string> = new Set([
  'c',
  'cpp',
  'rust',
  'swift',
  'objective-c',
  'objective-cpp',
]);

/**
 * Returns a configuration for a file or a folder without a launch.json. The debug type depends on the language, on the
 * folder's marker (`package.json`, `go.mod`, `__main__.py`), and on the installed debuggers.
 * @throws Failure `debugger_not_installed`, `not_supported`
 */
export async function configurationFor(
  services: WithWorkspace,
  program: string,
  requestedType: string | undefined,
): Promise<MadeConfiguration> {
  const target = (await services.workspace.isFolder(program))
    ? await mainOf(services, program)
    : program;
  const language = await languageOf(services, target);
  if (requestedType === undefined && COMPILED.has(language)) {
    throw new Failure(
      'not_supported',
      l10n.t('{0} is source code that must be compiled first.', path.basename(target)),
      'Pass the executable that it was compiled to (with debug information) as program.',
    );
  }
  const type = requestedType ?? typeFor(services.workspace.debuggers(), language, target);
  const { launch, textProperties } = adapterOf(type);
  const text =
    textProperties === undefined
      ? undefined
      : (await services.workspace.readSource(target))?.lines.join('\n');
  return {
    type,
    ...(launch?.(target) ?? { program: target }),
    ...(text === undefined ? {} : textProperties?.(text)),
  };
}

/** Returns the debug type for a file. Returns undefined if no installed debugger supports its language. */
export async function debugTypeFor(
  services: WithWorkspace,
  file: string,
): Promise<string | undefined> {
  const language = await languageOf(services, file);
  const debuggers = services.workspace.debuggers();
  const installed = new Set(debuggers.map(({ type }) => type));
  return (
    typesFor(COMPILED.has(language) ? 'native' : language).find((type) => installed.has(type)) ??
    debuggers.find(({ languages }) => languages.includes(language))?.type
  );
}

async function languageOf({ workspace }: WithWorkspace, file: string): Promise<string> {
  const language = await workspace.languageOf(file);
  // A binary has no language.
  if (language === undefined) return BY_EXTENSION[path.extname(file)] ?? 'native';
  return language === 'plaintext'
    ? (BY_EXTENSION[path.extname(file)] ?? language)
    : language.replace(/react$/, '');
}

/** Returns the debug type for programs of a language. @throws Failure `debugger_not_installed` */
export function typeOfLanguage(
  { workspace }: WithWorkspace,
  language: string,
  program: string,
): string {
  return typeFor(workspace.debuggers(), language, program);
}

function typeFor(debuggers: readonly InstalledDebugger[], language: string, file: string): string {
  const installed = new Set(debuggers.map(({ type }) => type));
  const preferred = typesFor(language).find((type) => installed.has(type));
  const byLanguage = debuggers.find(({ languages }) => languages.includes(language))?.type;
  const type = preferred ?? byLanguage;
  if (type !== undefined) return type;
  throw debuggerNotInstalled(
    l10n.t('No installed debugger supports the language of {0}.', path.basename(file)),
    debuggers,
    extensionForLanguage(COMPILED.has(language) ? 'native' : language),
    'Or pass type.',
  );
}

/** Whether a folder has a file that determines what to run. */
export async function isProject({ workspace }: WithWorkspace, folder: string): Promise<boolean> {
  const markers = await Promise.all(
    ['go.mod', 'package.json', '__main__.py'].map((marker) =>
      workspace.exists(path.join(folder, marker)),
    ),
  );
  return markers.includes(true);
}

/** Returns the main file of a project's folder. @throws Failure `not_supported` */
async function mainOf({ workspace }: WithWorkspace, folder: string): Promise<string> {
  if ((await workspace.exists(path.join(folder, 'go.mod'))) === true)
    return path.join(folder, 'main.go');
  const manifest = path.join(folder, 'package.json');
  if ((await workspace.exists(manifest)) === true)
    return path.resolve(folder, mainIn(await scannedText(workspace, manifest)) ?? 'index.js');
  const python = path.join(folder, '__main__.py');
  if ((await workspace.exists(python)) === true) return python;
  throw new Failure(
    'not_supported',
    l10n.t('{0} is a folder without a package.json, go.mod or __main__.py.', folder),
    'Pass the file to run as program.',
  );
}

function mainIn(manifest: string): string | undefined {
  try {
    return textOf(fields(JSON.parse(manifest))['main']);
  } catch {
    return undefined; // the default applies
  }
}
