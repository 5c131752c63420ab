import type { Fields } from '../protocol';
import { ALL_BUT_UNEQUAL, type Adapter, type AttachTarget } from './adapter';
import { debugpy } from './debugpy';
import { delve } from './delve';
import { javaDebug } from './javaDebug';
import { jsDebugNode, jsDebugOthers } from './jsDebug';
import { lldbDap } from './lldbDap';

/** CodeLLDB: known by its documentation. */
const codeLldb: Adapter = {
  name: 'lldb',
  types: ['lldb'],
  seenIn: 'documentation only',
  languages: ['native'],
  extension: 'vadimcn.vscode-lldb',
  hitConditions: ALL_BUT_UNEQUAL,
  attach: ({ processId, host, port, paths }) => ({
    ...(port === undefined
      ? { pid: processId }
      : { processCreateCommands: [`gdb-remote ${host}:${port}`] }),
    ...(paths.length === 0
      ? {}
      : { sourceMap: Object.fromEntries(paths.map(({ local, remote }) => [remote, local])) }),
  }),
};

/** The C++ extension's debuggers: chosen for native programs where nothing better is installed. */
const cppTools: readonly Adapter[] = ['cppdbg', 'cppvsdbg', 'gdb'].map((type) => ({
  name: type,
  types: [type],
  seenIn: 'never run',
  languages: ['native'],
  ...(type !== 'gdb' && { extension: 'ms-vscode.cpptools' }),
}));

/** In the order in which they are chosen for a language. */
const ADAPTERS: readonly Adapter[] = [
  jsDebugNode,
  jsDebugOthers,
  debugpy,
  delve,
  javaDebug,
  lldbDap,
  codeLldb,
  ...cppTools,
];

const BY_TYPE: ReadonlyMap<string, Adapter> = new Map(
  ADAPTERS.flatMap((adapter) => adapter.types.map((type) => [type, adapter] as const)),
);

/** The adapter of a debug type: one that is known, or one that does what the protocol says. */
export function adapterOf(type: string): Adapter {
  return BY_TYPE.get(type) ?? { name: type, types: [type], seenIn: 'never run', languages: [] };
}

/** What a configuration of a debug type needs to attach; undefined where its adapter cannot. */
export function attachConfiguration(type: string, target: AttachTarget): Fields | undefined {
  const { attach = attachByDefault } = adapterOf(type);
  return attach(target);
}

function attachByDefault({ processId, host, port, paths }: AttachTarget): Fields | undefined {
  if (paths.length > 0) return undefined;
  return port === undefined ? { processId } : { host, port };
}

/** Whether anything is known of a debug type's adapter. */
export function isKnownType(type: string): boolean {
  return BY_TYPE.has(type);
}

/** The extension that brings a debug type; undefined where none is known, or VS Code has it built in. */
export function extensionOfType(type: string): string | undefined {
  return BY_TYPE.get(type)?.extension;
}

/** The extension with the best debugger for a language; undefined where none is known, or VS Code has it built in. */
export function extensionForLanguage(language: string): string | undefined {
  return ADAPTERS.find((each) => each.languages.includes(language))?.extension;
}

/** Debug types for programs of a language, the best first. */
export function typesFor(language: string): readonly string[] {
  return ADAPTERS.filter((each) => each.languages.includes(language)).flatMap((each) => each.types);
}
