import { scannedIfAny } from '../tools/files/scannedText';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { isFields, type Fields } from '../debugger/protocol';
import { Failure } from '../results/failure';
import type { ToolServices } from '../tools/services';
import { cargoTest } from './cargo/cargoTest';
import { googleTest } from './googletest/googleTest';
import { goTest } from './go/goTest';
import { jest } from './jest/jest';
import { junit4, junit5 } from './junit/junit';
import { IMPORTED, INSTALLED } from './javascript/nodeRunner';
import { mocha } from './mocha/mocha';
import { nodeTest } from './nodeTest/nodeTest';
import { phpunit } from './php/phpunit';
import { pytest, unittest } from './python/python';
import { minitest, rspec } from './ruby/ruby';
import { testController } from './testController/testController';
import { vitest } from './vitest/vitest';
import type { TestFramework, TestProject } from './testFramework';

/** The frameworks in the order in which errors list them. */
const FRAMEWORKS: readonly TestFramework[] = [
  nodeTest,
  mocha,
  jest,
  vitest,
  pytest,
  unittest,
  goTest,
  googleTest,
  cargoTest,
  junit5,
  junit4,
  minitest,
  rspec,
  phpunit,
  testController,
];

/** A file's framework and the project of the file. */
export interface FoundFramework {
  readonly framework: TestFramework;
  readonly project: TestProject;
}

/**
 * Returns the framework of a file's tests: the requested one, or the one that fits the project best.
 * @throws Failure `framework_not_found`
 */
export async function findFramework(
  services: ToolServices,
  file: string,
  text: string,
  requested: string | undefined,
): Promise<FoundFramework> {
  const possible = FRAMEWORKS.filter(({ id, files }) =>
    requested === undefined ? files.test(file) : id === requested,
  );
  const [found] = possible;
  if (found === undefined && requested !== undefined) throw unknownName(requested);
  const only = found ?? testController;
  if (requested !== undefined || found === undefined)
    return { framework: only, ...(await projectOf(services, file, text, only)) };
  const rated = await Promise.all(
    possible.map(async (framework) => {
      const found = await projectOf(services, file, text, framework);
      return { framework, ...found, strength: await framework.detect(found.project) };
    }),
  );
  const fitting = rated.filter(({ strength }) => strength > 0);
  if (fitting.length === 0) throw notFound(file, possible);
  // What the file itself imports is certain. Otherwise the nearest package decides.
  const imported = fitting.filter(({ strength }) => strength >= IMPORTED);
  const nearest = Math.max(...fitting.map(({ signed }) => signed.length));
  const near = fitting.filter(({ signed }) => signed.length === nearest);
  const candidates = imported.length > 0 ? imported : near;
  const best = Math.max(...candidates.map(({ strength }) => strength));
  const [first, ...others] = candidates.filter(({ strength }) => strength === best);
  if (first === undefined) throw notFound(file, possible);
  if (others.length > 0)
    throw several(
      file,
      [first, ...others].map(({ framework }) => framework),
    );
  return first;
}

/**
 * Returns the project of a file. A package that shows no sign of the framework may belong to a repository whose root
 * configures it, so the nearest project that configures the framework is preferred to the nearest that only depends on
 * it, and that to the nearest one.
 * @returns also the nearest folder with a sign of the framework. Empty if there is none.
 */
async function projectOf(
  services: ToolServices,
  file: string,
  text: string,
  framework: TestFramework,
): Promise<{ readonly project: TestProject; readonly signed: string }> {
  const own = await framework.root?.(services, file);
  const folders = own === undefined ? await projectFolders(services, file, framework) : [own];
  const isPackage = framework.markers.includes('package.json');
  const projects = await Promise.all(
    folders.slice(0, isPackage ? undefined : 1).map(async (folder) => ({
      ...{ services, file, text, folder },
      manifest: isPackage ? await manifestIn(services, folder) : {},
    })),
  );
  const [nearest] = projects;
  if (nearest === undefined) throw new Error('a file has at least one project');
  if (!isPackage) return { project: nearest, signed: path.dirname(file) };
  // An import in the file itself says nothing about the folder.
  const signs = await Promise.all(
    projects.map(async (project) => await framework.detect({ ...project, text: '' })),
  );
  const withSign = (least: number): TestProject | undefined =>
    projects.find((_, index) => (signs[index] ?? 0) > least);
  const signed = withSign(0);
  return { project: withSign(INSTALLED) ?? signed ?? nearest, signed: signed?.folder ?? '' };
}

/**
 * Returns the folders above the file, nearest first, that have a marker of the framework. If there are none, it returns
 * the workspace folder.
 */
async function projectFolders(
  { workspace }: ToolServices,
  file: string,
  { markers }: TestFramework,
): Promise<readonly string[]> {
  const top = workspace.folders
    .map((folder) => folder.path)
    .find((folder) => file.startsWith(`${folder}${path.sep}`));
  let folder = path.dirname(file);
  const marked: string[] = [];
  for (; top !== undefined; folder = path.dirname(folder)) {
    const found = await Promise.all(
      markers.map((marker) => workspace.exists(path.join(folder, marker))),
    );
    if (found.includes(true)) marked.push(folder);
    if (folder === top) break;
  }
  return marked.length > 0 ? marked : [top ?? path.dirname(file)];
}

async function manifestIn({ workspace }: ToolServices, folder: string): Promise<Fields> {
  const text = await scannedIfAny(workspace, path.join(folder, 'package.json'));
  try {
    const manifest: unknown = JSON.parse(text ?? '');
    return isFields(manifest) ? manifest : {};
  } catch {
    return {};
  }
}

function unknownName(name: string): Failure {
  return new Failure(
    'framework_not_found',
    l10n.t('There is no test framework named {0}.', name),
    'Pass one of candidates, or leave out framework.',
    { candidates: FRAMEWORKS.map(({ id }) => id) },
  );
}

function notFound(file: string, possible: readonly TestFramework[]): Failure {
  return new Failure(
    'framework_not_found',
    l10n.t('The test runner of {0} could not be determined.', path.basename(file)),
    'Pass framework: one of candidates, or test_controller with line, if an extension shows the test in VS Code. looked_for lists the evidence of each that was searched for.',
    {
      candidates: possible.map(({ id }) => id),
      looked_for: Object.fromEntries(possible.map(({ id, evidence }) => [id, evidence])),
    },
  );
}

function several(file: string, fitting: readonly TestFramework[]): Failure {
  return new Failure(
    'framework_not_found',
    l10n.t('The tests in {0} could be for several runners.', path.basename(file)),
    'Pass framework: one of candidates.',
    { candidates: fitting.map(({ id }) => id) },
  );
}
