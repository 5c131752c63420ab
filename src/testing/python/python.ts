import path from 'node:path';
import { adapterOf } from '../../debugger/adapters/registry';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import { REPORT } from '../javascript/reporters';
import { PYTEST_MODULE, PYTEST_PLUGIN, UNITTEST_MODULE, UNITTEST_RUNNER } from './reporters';
import { afterException } from './pythonBlocks';
import { readOwnReport } from '../report/readReport';
import { scanPython } from './scanPython';
import type { RunnerContext, RunnerPlan, TestFramework, TestProject } from '../testFramework';

const PYTHON_FRAMEWORK = {
  files: /\.pyw?$/,
  markers: ['pyproject.toml', 'setup.cfg', 'setup.py', 'pytest.ini', 'tox.ini', 'requirements.txt'],
  list: scanPython,
  readOutcome: readOwnReport,
  afterException,
} satisfies Partial<TestFramework>;

/**
 * Creates the plan of a run.
 * @param module the name and the text of the module in the scratch folder that the run imports
 */
function pythonRun(
  { project, scratch }: RunnerContext,
  run: { readonly module: string; readonly args: readonly string[] },
  [module, text]: readonly [module: string, text: string],
): RunnerPlan {
  const { services } = project;
  const type = typeOfLanguage(services, 'python', project.file);
  const before = services.workspace.variable('env', 'PYTHONPATH', undefined) ?? '';
  return {
    configuration: {
      type,
      ...adapterOf(type).testProperties,
      ...run,
      env: { PYTHONPATH: [scratch, before].filter((folder) => folder !== '').join(path.delimiter) },
    },
    files: { [`${module}.py`]: text },
    report: REPORT,
  };
}

async function hasOne(
  { services, folder }: TestProject,
  files: readonly string[],
): Promise<boolean> {
  const found = await Promise.all(
    files.map((file) => services.workspace.exists(path.join(folder, file))),
  );
  return found.includes(true);
}

const IMPORTS_PYTEST = /^\s*(?:import|from)\s+pytest\b/m;
/** Files for pytest often import `unittest.mock`. */
const IMPORTS_UNITTEST =
  /^\s*(?:import\s+unittest\b(?!\.mock)|from\s+unittest\b(?!\.mock|\s+import\s+mock\b))/m;

export const pytest: TestFramework = {
  ...PYTHON_FRAMEWORK,
  id: 'pytest',
  keepsOutput: true,
  title: 'pytest',
  evidence:
    'an import of pytest, test functions, pytest.ini, conftest.py, [tool.pytest] in pyproject.toml',
  detect: async (project) => {
    if (IMPORTS_PYTEST.test(project.text)) return 10;
    if (/^(?:async\s+)?def\s+test/m.test(project.text)) return 8;
    const configured = await hasOne(project, ['pytest.ini', 'conftest.py']);
    const toml = await project.services.workspace.readSource(
      path.join(project.folder, 'pyproject.toml'),
    );
    if (configured || toml?.lines.some((line) => line.startsWith('[tool.pytest')) === true)
      return 7;
    return IMPORTS_UNITTEST.test(project.text) ? 0 : 2;
  },
  configuration: async (context) =>
    pythonRun(
      context,
      {
        module: 'pytest',
        args: [
          ...['-p', PYTEST_MODULE, '-p', 'no:cacheprovider', '-o', 'addopts='],
          ...context.args,
          [context.project.file, ...context.test.path.map(withEscapes)].join('::'),
        ],
      },
      [PYTEST_MODULE, PYTEST_PLUGIN],
    ),
};

/** Returns a name as pytest writes it: it escapes characters of parameters that are not ASCII, as Python does. */
function withEscapes(name: string): string {
  return name.replace(/[^\0-\x7f]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const digits = code.toString(16);
    if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
    return code < 0x1_0000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
  });
}

export const unittest: TestFramework = {
  ...PYTHON_FRAMEWORK,
  id: 'unittest',
  title: 'unittest',
  evidence: 'an import of unittest',
  detect: ({ text }) => (IMPORTS_UNITTEST.test(text) ? 6 : 0),
  configuration: async (context) => {
    const { file, folder } = context.project;
    const module = path
      .relative(folder, file)
      .replace(/\.pyw?$/, '')
      .split(path.sep)
      .join('.');
    return pythonRun(
      context,
      {
        module: UNITTEST_MODULE,
        args: [...context.args, [module, ...context.test.path].join('.')],
      },
      [UNITTEST_MODULE, UNITTEST_RUNNER],
    );
  },
};
