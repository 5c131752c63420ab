import { ALL_BUT_UNEQUAL, type Adapter } from './adapter';
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
  hitConditions: ALL_BUT_UNEQUAL,
};

/** The C++ extension's debuggers: chosen for native programs where nothing better is installed. */
const cppTools: readonly Adapter[] = ['cppdbg', 'cppvsdbg', 'gdb'].map((type) => ({
  name: type,
  types: [type],
  seenIn: 'never run',
  languages: ['native'],
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

/** Whether anything is known of a debug type's adapter. */
export function isKnownType(type: string): boolean {
  return BY_TYPE.has(type);
}

/** Debug types for programs of a language, the best first. */
export function typesFor(language: string): readonly string[] {
  return ADAPTERS.filter((each) => each.languages.includes(language)).flatMap((each) => each.types);
}
