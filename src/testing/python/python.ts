import path from 'node:path';
import { adapterOf } from '../../debugger/adapters/registry';
import { defined } from '../../util/defined';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import { atPythonLine, namedPython } from './pythonNames';
import {
  isPytestConfigured,
  pytestFolder,
  settingArguments,
  settingFor,
  topFolder,
  unittestFolder,
} from './pythonProject';
import { readPythonReport, withoutPytestLines } from './pythonReport';
import { scanPython } from './scanPython';
import type { RunnerContext, RunnerPlan, TestFramework } from '../testFramework';

/** The report in the scratch folder. */
const REPORT = 'report.jsonl';

const PYTHON_FRAMEWORK = {
  files: /\.pyw?$/,
  markers: [],
  list: scanPython,
  named: namedPython,
  atLine: atPythonLine,
  readOutcome: readPythonReport,
  runsOnce: true,
  countsLines: 'reporter',
  // The reporters stop the program themselves, without a filter.
  staysBy: [],
} satisfies Partial<TestFramework>;

/**
 * Creates the plan of a run. The reporters in `reporters/python` select the test among those that the runner has found,
 * and describe it.
 */
function pythonRun(
  { project, test, scratch }: RunnerContext,
  run: { readonly module: string; readonly args: readonly string[] },
  variables: Readonly<Record<string, string>> = {},
): RunnerPlan {
  const { services, file, folder } = project;
  const { workspace } = services;
  const type = typeOfLanguage(services, 'python', file);
  const reporters = path.join(services.reporters, 'python');
  const before = workspace.variable('env', 'PYTHONPATH', undefined) ?? '';
  const roots = [...workspace.folders.map((each) => each.path), folder];
  return {
    configuration: {
      type,
      ...adapterOf(type).testProperties,
      ...run,
      // The debugger neither stops in the reporter nor steps into it.
      rules: [{ path: path.join(reporters, '**'), include: false }],
      env: {
        PYTHONPATH: [reporters, before].filter((each) => each !== '').join(path.delimiter),
        AGENT_DEBUGGER_REPORT: path.join(scratch, REPORT),
        AGENT_DEBUGGER_ROOTS: [...new Set(roots)].join(path.delimiter),
        AGENT_DEBUGGER_TEST: JSON.stringify(test.path),
        ...variables,
      },
    },
    files: {},
    report: REPORT,
  };
}

const IMPORTS_PYTEST = /^[ \t]*(?:import|from)\s+pytest\b/m;
/** Files for pytest often import `unittest.mock`. */
const IMPORTS_UNITTEST =
  /^[ \t]*(?:import\s+unittest\b(?!\.mock)|from\s+unittest\b(?!\.mock|\s+import\s+mock\b))/m;

export const pytest: TestFramework = {
  ...PYTHON_FRAMEWORK,
  id: 'pytest',
  title: 'pytest',
  evidence:
    'an import of pytest, test functions, pytest.ini, conftest.py, [tool.pytest] in pyproject.toml',
  root: pytestFolder,
  detect: async ({ services, file, text, folder }) => {
    if (IMPORTS_PYTEST.test(text)) return 10;
    if (settingFor(services, file, 'python.testing.pytestEnabled') === true) return 9;
    if (/^(?:async\s+)?def\s+test/m.test(text)) return 8;
    const hasConftest = await services.workspace.exists(path.join(folder, 'conftest.py'));
    if (hasConftest === true || (await isPytestConfigured(services, folder))) return 7;
    return IMPORTS_UNITTEST.test(text) ? 0 : 2;
  },
  ownOutput: withoutPytestLines,
  configuration: async (context) =>
    pythonRun(context, {
      module: 'pytest',
      args: [
        // The results of this run do not belong into the project's cache, which `--last-failed` reads.
        ...[
          '-p',
          'agent_debugger_report',
          '-o',
          `cache_dir=${path.join(context.scratch, 'cache')}`,
        ],
        ...settingArguments(context.project.services, context.project.file, 'pytest'),
        ...context.args,
        [context.project.file, ...context.test.path].join('::'),
      ],
    }),
};

export const unittest: TestFramework = {
  ...PYTHON_FRAMEWORK,
  id: 'unittest',
  title: 'unittest',
  evidence: 'an import of unittest',
  root: unittestFolder,
  detect: ({ text }) => (IMPORTS_UNITTEST.test(text) ? 6 : 0),
  configuration: async (context) =>
    pythonRun(
      context,
      { module: 'agent_debugger_unittest', args: [...context.args, context.project.file] },
      defined({ AGENT_DEBUGGER_TOP: topFolder(context.project.services, context.project.file) }),
    ),
};
