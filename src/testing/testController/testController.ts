import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { TEST_AT_LINE } from '../../debugger/host';
import { Failure } from '../../results/failure';
import type { ChosenTest, TestFramework, TestProject } from '../testFramework';

/** The maximum number of lines that an error lists. */
const MAX_LINES = 20;

/**
 * Any test that an installed extension has registered in VS Code's testing UI. VS Code starts it, and tells no other
 * extension its result, so the result is what the debugger observed.
 */
export const testController: TestFramework = {
  id: 'test_controller',
  title: 'VS Code',
  // It is used for the files of no other runner, and on request.
  files: /(?!)/,
  markers: [],
  evidence: 'nothing: any test that an installed extension shows in VS Code',
  detect: () => 0,
  list: () => [],
  chosen: chosenAt,
  startsByEditor: true,
  configuration: async ({ project, test }) =>
    await Promise.resolve({
      configuration: { type: TEST_AT_LINE, file: project.file, line: test.line },
      files: {},
      report: 'none',
    }),
  readOutcome: () => ({ tests: [] }),
};

/**
 * Returns the test at a line. A name without a line stands for the only line that contains it.
 * @throws Failure `test_not_found`, `ambiguous_test`
 */
function chosenAt(
  { name, line }: { readonly name: string | undefined; readonly line: number | undefined },
  { file, text }: TestProject,
): ChosenTest {
  const lines = text.split(/\r?\n/);
  const base = path.basename(file);
  if (line !== undefined) {
    const shown = lines[line - 1]?.trim() ?? '';
    return { path: [name ?? (shown === '' ? `line ${line}` : shown)], line, isTemplate: false };
  }
  const found = lines.flatMap((each, index) =>
    name !== undefined && each.includes(name) ? [index + 1] : [],
  );
  const [only, ...others] = found;
  if (name === undefined || only === undefined)
    throw new Failure(
      'test_not_found',
      name === undefined
        ? l10n.t('No runner is known for {0}, so the line of the test is needed.', base)
        : l10n.t('No line of {0} contains {1}.', base, name),
      'Pass line: a line in the test.',
      { outcome: 'not_found' },
    );
  if (others.length > 0)
    throw new Failure(
      'ambiguous_test',
      l10n.t('{0} lines contain {1}.', found.length, name),
      'Pass line: one of candidates.',
      { candidates: found.slice(0, MAX_LINES), test_count: found.length },
    );
  return { path: [name], line: only, isTemplate: false };
}
