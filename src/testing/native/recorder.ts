import path from 'node:path';
import { adapterOf } from '../../debugger/adapters/registry';
import type { Fields } from '../../debugger/protocol';
import { isLibrary } from './ownFrames';
import type { ToolServices } from '../../tools/services';
import type { ChosenTest, RunRecorder } from '../testFramework';

/** The module that LLDB loads, in the folder of the reporters. */
const MODULE = 'agent_debugger_tests';

/** The file in the scratch folder that the module writes. */
const RECORDED = 'recorded.jsonl';

/** What the module needs to know about a test. */
export interface RecorderSettings {
  readonly kind: 'googletest' | 'cargo_test';
  /** The names of the tests, as their runner prints them. */
  readonly tests: readonly string[];
  /** Whether the test may return an error. */
  readonly returns?: boolean;
  /** Whether a panic that leaves the test is a failure. Otherwise the test may expect it. */
  readonly isCertain?: boolean;
}

/**
 * Returns the recorder of a native test: a script in the debugger that reads the frames and values of each failure,
 * without a stop that anyone else sees.
 * @param settingsOf returns the settings for the test that the run selects
 * @returns undefined if the debugger runs no scripts of this kind
 */
export function nativeRecorder(
  services: Pick<ToolServices, 'reporters' | 'workspace'>,
  type: string,
  scratch: string,
  settingsOf: (test: ChosenTest) => RecorderSettings,
): RunRecorder | undefined {
  const { withCommandBeforeLaunch } = adapterOf(type);
  if (withCommandBeforeLaunch === undefined) return undefined;
  const folders = services.workspace.folders.map((folder) => folder.path);
  return {
    report: RECORDED,
    isRunner: isLibrary,
    configure: (configuration: Fields, test, stay) => {
      const report = path.join(scratch, RECORDED);
      const settings = { ...settingsOf(test), report, folders, stay: stayOf(stay) };
      const command = lldbCommand(path.join(services.reporters, 'lldb'), settings);
      return withCommandBeforeLaunch(configuration, command) ?? configuration;
    },
  };
}

function stayOf(stay: Parameters<RunRecorder['configure']>[2]): unknown {
  if (stay === undefined) return null;
  return stay === 'first' ? stay : (JSON.parse(stay.stopAt) as unknown);
}

/** Returns the LLDB command that loads the module and begins. Python writes no compiled files beside it. */
function lldbCommand(folder: string, settings: object): string {
  return [
    'script import sys',
    'sys.dont_write_bytecode = True',
    `sys.path.insert(0, ${literal(folder)})`,
    `import ${MODULE}`,
    `${MODULE}.begin(lldb.debugger, ${literal(JSON.stringify(settings))})`,
  ].join('; ');
}

/** Returns a Python string. LLDB evaluates text between backticks, and VS Code inserts variables after a dollar sign. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll('`', '\\u0060').replaceAll('$', '\\u0024');
}
