import type { Fields } from '../protocol';
import type { Adapter } from './adapter';
import { ALL_BUT_UNEQUAL, type AttachTarget, type Listening } from './adapterParts';
import type { LoggedCalls } from './calls';
import { debugpy } from './debugpy';
import { delve } from './delve';
import { javaDebug } from './javaDebug';
import { jsDebugNode, jsDebugOthers } from './jsDebug';
import { lldbDap } from './lldbDap';
import { rdbg } from './rdbg';
import { xdebug } from './xdebug';

/** CodeLLDB, according to its documentation. */
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

/** The debuggers of the C++ extension. They are chosen for native programs if no better one is installed. */
const cppTools: readonly Adapter[] = ['cppdbg', 'cppvsdbg', 'gdb'].map((type) => ({
  name: type,
  types: [type],
  seenIn: 'never run',
  languages: ['native'],
  ...(type !== 'gdb' && { extension: 'ms-vscode.cpptools' }),
}));

/** All adapters, in the order in which they are chosen for a language. */
const ADAPTERS: readonly Adapter[] = [
  jsDebugNode,
  jsDebugOthers,
  debugpy,
  delve,
  javaDebug,
  lldbDap,
  codeLldb,
  ...cppTools,
  rdbg,
  xdebug,
];

const BY_TYPE: ReadonlyMap<string, Adapter> = new Map(
  ADAPTERS.flatMap((adapter) => adapter.types.map((type) => [type, adapter] as const)),
);

/** The adapter of a debug type. An unknown one is assumed to follow the protocol. */
export function adapterOf(type: string): Adapter {
  return BY_TYPE.get(type) ?? { name: type, types: [type], seenIn: 'never run', languages: [] };
}

/** How programs that listen are recognized, with the debug type that attaches to them. */
export const LISTENING: readonly (Listening & { readonly type: string })[] = ADAPTERS.flatMap(
  ({ listening, types: [type] }) =>
    listening === undefined || type === undefined ? [] : [{ type, ...listening }],
);

const OPENING_ACCESS: ReadonlySet<string> = new Set(
  ADAPTERS.flatMap(({ opensAccess = [] }) => opensAccess),
);

/** Whether a request gives others access to the program. Any session may be one of that adapter, under another type. */
export function opensAccess(command: string): boolean {
  return OPENING_ACCESS.has(command);
}

/** The arguments of the request for the value that identifies a frame's call. DAP `evaluate`. */
export function activationRequest({ activation }: LoggedCalls, frameId: number): Fields {
  return { expression: activation, frameId, context: 'watch' };
}

const ACTIVATIONS: ReadonlySet<unknown> = new Set(
  ADAPTERS.flatMap(({ loggedCalls }) => loggedCalls?.activation ?? []),
);

/** Whether a request is one of `activationRequest`, which has no side effects in the adapters that have it. */
export function isActivationRequest(command: string, { expression, context }: Fields): boolean {
  return command === 'evaluate' && context === 'watch' && ACTIVATIONS.has(expression);
}

/** The properties of an attach configuration for a debug type; undefined if its adapter cannot attach to the target. */
export function attachConfiguration(type: string, target: AttachTarget): Fields | undefined {
  const { attach = attachByDefault } = adapterOf(type);
  return attach(target);
}

function attachByDefault({ processId, host, port, paths }: AttachTarget): Fields | undefined {
  if (paths.length > 0) return undefined;
  return port === undefined ? { processId } : { host, port };
}

/** Whether a debug type's adapter is in the table. */
export function isKnownType(type: string): boolean {
  return BY_TYPE.has(type);
}

/** The extension that contributes a debug type; undefined if it is unknown or built into VS Code. */
export function extensionOfType(type: string): string | undefined {
  return BY_TYPE.get(type)?.extension;
}

/** The extension with the best debugger for a language; undefined if it is unknown or built into VS Code. */
export function extensionForLanguage(language: string): string | undefined {
  return ADAPTERS.find(({ languages }) => languages.includes(language))?.extension;
}

/** Debug types for programs of a language, the best first. */
export function typesFor(language: string): readonly string[] {
  return ADAPTERS.filter(({ languages }) => languages.includes(language)).flatMap(
    ({ types }) => types,
  );
}
