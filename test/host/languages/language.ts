import { strict as assert } from 'node:assert';
import { skip } from '../../support/skip';
import { spawnSync } from 'node:child_process';
import { hasTools, isAtLeast } from '../../support/toolchain';

/** The properties of a language that the shared scenario needs; everything else is the same for all languages. */
export interface Language {
  readonly name: string;
  /** The path of the source, relative to the workspace. */
  readonly source: string;
  /** The prefix of the configurations' names. */
  readonly configuration: string;
  readonly adapterType: string;
  /** Patterns for values as the adapter shows them. */
  readonly shows: { readonly label: RegExp; readonly age: RegExp; readonly exception: RegExp };
  readonly condition: string;
  /** A hit count that first holds at the second hit, VS Code's form of it, and one that its debugger refuses. */
  readonly hits: {
    readonly asked: string;
    readonly held: string;
    readonly refused: string | undefined;
  };
  /** The name of `square` for a function breakpoint; undefined if its debugger has no function breakpoints. */
  readonly square: string | undefined;
  readonly evaluate: { readonly expression: string; readonly result: RegExp };
  /** The reported exit code of an exit with code 3; undefined if its debugger does not report one. */
  readonly exitCode: number | undefined;
  /** A pattern for the program's output that the adapter passes on. */
  readonly prints: RegExp;
  /** Makes a program from a copy of the source in any folder; undefined if that takes a project. */
  readonly programOf?: (source: string) => string;
  /** A filter that stops at the fixture's exception, and conditions for it; undefined if its debugger has none. */
  readonly exceptions: {
    readonly filter: string;
    /** Whether the debugger suggests to turn it on, so that VS Code does. */
    readonly isDefault?: boolean;
    readonly condition: { readonly holds: string; readonly fails: string } | undefined;
  };
  /** How its debugger treats a breakpoint in the column of a call. */
  readonly columns: 'exact' | 'whole line' | 'none in that place';
  /** The names of missing programs or packages, for a person; undefined if nothing is missing. */
  missing(): string | undefined;
}

/** Skips the tests of a missing language on a developer's machine, and names it. In CI the tests fail. */
export function skipWhereMissing(context: Mocha.Context, language: Language): void {
  const missing = language.missing();
  if (missing !== undefined) skip(context, `${language.name} needs ${missing}`);
}

/** Compiles the program next to its source, as a person's build would. */
function compiled(source: string): string {
  const program = source.replace(/\.cpp$/, '');
  const result = spawnSync('g++', ['-g', '-O0', '-pthread', '-o', program, source], {
    encoding: 'utf8',
  });
  assert.equal(result.status, 0, result.stderr);
  return program;
}

const SETUP = 'npm run adapters:setup';

export const LANGUAGES: readonly Language[] = [
  {
    name: 'Node',
    source: 'node/scenario.js',
    configuration: 'Node',
    adapterType: 'pwa-node',
    shows: { label: /^'shop'$/, age: /^36$/, exception: /broken on purpose/ },
    condition: 'i === 2',
    evaluate: { expression: 'sum + numbers.length', result: /^3$/ },
    hits: { asked: '% 2 == 0', held: '% 2', refused: '!= 1' },
    square: undefined,
    exitCode: 3,
    prints: /^sum=14 shop 3 Ada$/,
    programOf: (source) => source,
    columns: 'exact',
    exceptions: {
      filter: 'uncaught',
      condition: {
        holds: 'error.message.includes("purpose")',
        fails: 'error.message.includes("other")',
      },
    },
    missing: () => undefined,
  },
  {
    name: 'Python',
    source: 'python/scenario.py',
    configuration: 'Python',
    adapterType: 'debugpy',
    shows: { label: /^'shop'$/, age: /^36$/, exception: /broken on purpose/ },
    condition: 'i == 2',
    evaluate: { expression: 'sum + len(numbers)', result: /^3$/ },
    hits: { asked: '% 2 == 0', held: '% 2', refused: undefined },
    square: 'square',
    exitCode: 3,
    prints: /^sum=14 shop 3 Ada$/,
    programOf: (source) => source,
    columns: 'whole line',
    exceptions: { filter: 'raised', condition: undefined },
    missing: () => (hasTools('python', 'debugpy') ? undefined : SETUP),
  },
  {
    name: 'C++',
    source: 'native/scenario.cpp',
    configuration: 'Native',
    adapterType: 'lldb-dap',
    shows: { label: /"shop"/, age: /^36$/, exception: /./ },
    condition: 'i == 2',
    evaluate: { expression: 'sum + 3', result: /^3$/ },
    hits: { asked: '> 1', held: '2', refused: '% 2 == 0' },
    square: 'square',
    exitCode: 3,
    prints: /^sum=14 shop 3 Ada$/,
    programOf: compiled,
    columns: 'none in that place',
    exceptions: { filter: 'cpp_throw', condition: undefined },
    missing: () => (hasTools('lldbDap') ? undefined : SETUP),
  },
  {
    name: 'Go',
    source: 'go/scenario.go',
    configuration: 'Go',
    adapterType: 'go',
    shows: { label: /^"shop"$/, age: /^36$/, exception: /broken on purpose|panic/ },
    condition: 'i == 2',
    evaluate: { expression: 'sum + len(numbers)', result: /^3$/ },
    hits: { asked: '== 2', held: '== 2', refused: undefined },
    square: 'main.square',
    // This version of delve writes the program's output to its own output, not to the protocol.
    exitCode: 3,
    prints: /exited with status 3/,
    columns: 'whole line',
    exceptions: {
      // Older versions always stop at panics.
      filter: isAtLeast('delve', '1.26') ? 'unrecovered-panic' : '',
      isDefault: true,
      condition: undefined,
    },
    missing: () => (hasTools('delve', 'go') ? undefined : SETUP),
  },
  {
    name: 'Java',
    source: 'java/src/Scenario.java',
    configuration: 'Java',
    adapterType: 'java',
    shows: { label: /"shop"/, age: /^36$/, exception: /broken on purpose|IllegalStateException/ },
    condition: 'i == 2',
    evaluate: { expression: 'sum + numbers.length', result: /^3$/ },
    hits: { asked: '== 2', held: '2', refused: '> 1' },
    square: 'Scenario#square',
    // java-debug always reports 0, so there is no exit code.
    exitCode: undefined,
    prints: /^sum=14 shop 3 Ada$/,
    columns: 'none in that place',
    exceptions: { filter: 'uncaught', condition: undefined },
    missing: () => (hasTools('jdk', 'javaServer') ? undefined : SETUP),
  },
];
