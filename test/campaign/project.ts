import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../../..');

/** The folder with the installed projects. It is the workspace of the campaign. */
export const CAMPAIGN_FOLDER =
  process.env['AGENT_DEBUGGER_CAMPAIGN'] ?? path.join(ROOT, '.vscode-test/campaign');

export type Language = 'python' | 'javascript' | 'go' | 'rust' | 'cpp' | 'java';

export type RunnerId =
  | 'pytest'
  | 'unittest'
  | 'node_test'
  | 'mocha'
  | 'jest'
  | 'vitest'
  | 'go_test'
  | 'cargo_test'
  | 'googletest'
  | 'junit4'
  | 'junit5';

/** A change of one operator or constant in the source of a project. */
export interface Fault {
  /** Relative to the project's folder. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, of the first changed character. */
  readonly column: number;
  readonly from: string;
  readonly to: string;
}

/** A real project in a pinned version, as the catalogue or a description file names it. */
export interface Project {
  /** The name of its folder, and of its row in the table. */
  readonly name: string;
  readonly language: Language;
  readonly runner: RunnerId;
  /** The project in its registry's notation. Left out if `folder` names a project that is installed already. */
  readonly package?: string;
  /** An installed project outside of the campaign's folder. It is copied. */
  readonly folder?: string;
  /** Packages for its tests, the pinned runner among them. */
  readonly with?: readonly string[];
  /** The version of the language, such as `3.13` for Python. */
  readonly runtime?: string;
  /** The files or folders that the runner is given, relative to the project's folder. */
  readonly tests: readonly string[];
  /** The files or folders in which faults are planted. */
  readonly sources: readonly string[];
  /** Files to write after the installation. */
  readonly files?: Readonly<Record<string, string>>;
  /** Commands that build the project, run in its folder by a shell. */
  readonly build?: readonly string[];
  /** Properties that replace those of package.json. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Options of the runner in both runs. */
  readonly args?: readonly string[];
  readonly fault?: Fault;
  /** Whether the project is in the short part, which runs in CI. */
  readonly quick?: boolean;
}

/** A project with its place on this machine. */
export interface Installed {
  readonly project: Project;
  readonly folder: string;
}

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** What the plain runner says about a failure. */
export interface Told {
  /** Without the type of the error in front. */
  readonly message?: string | undefined;
  /** Where the runner says that the test failed: the innermost place in the project. */
  readonly at?: Place | undefined;
  /** The local variables that the failing line uses, if the error was thrown. */
  readonly locals?: readonly string[] | undefined;
}

/** What the plain runner reports about one test. */
export interface TruthTest extends Told {
  /** The name as the runner prints it. */
  readonly name: string;
  readonly file: string;
  readonly verdict: 'failed' | 'passed';
  /** What the runner printed besides, if it does not tell which part is the failure: Go logs as it reports errors. */
  readonly besides?: readonly Told[] | undefined;
  /** Whether the message differs from run to run, so that its numbers are not compared. */
  readonly varies?: true | undefined;
  /** What the runner needs in order to run only this test. */
  readonly selector: readonly string[];
}

/** A project with a planted fault and the plain runner's report about it. */
export interface Prepared {
  readonly project: Project;
  readonly folder: string;
  readonly version: string;
  readonly fault: Fault;
  readonly tests: readonly TruthTest[];
  /** The `READER` that has read the tests. */
  readonly reader: number;
}

/** The version of what is read from reports. With another one, the tests are read anew, with the same fault. */
export const READER = 4;

const CATALOGUE = path.join(ROOT, 'test/campaign/catalogue.json');

export function catalogue(): readonly Project[] {
  return JSON.parse(readFileSync(CATALOGUE, 'utf8')) as readonly Project[];
}

/** Reads further projects: a description file, or a folder that contains one as `campaign.json`. */
export function described(fileOrFolder: string): readonly Project[] {
  const inFolder = path.join(fileOrFolder, 'campaign.json');
  const file = existsSync(inFolder) ? inFolder : fileOrFolder;
  const parsed = JSON.parse(readFileSync(file, 'utf8')) as Project | readonly Project[];
  const from = path.dirname(path.resolve(file));
  return [parsed].flat().map((project) => ({
    ...project,
    ...(project.package === undefined ? { folder: path.resolve(from, project.folder ?? '.') } : {}),
  }));
}

export function folderOf({ name }: Project): string {
  return path.join(CAMPAIGN_FOLDER, name);
}

/** The file that keeps what was prepared for a project. */
export function preparedFile({ name }: Project): string {
  return path.join(CAMPAIGN_FOLDER, `${name}.prepared.json`);
}

/** The file that keeps what was measured of a project. */
export function resultFile({ name }: Project): string {
  return path.join(CAMPAIGN_FOLDER, `${name}.result.json`);
}

export function readPrepared(project: Project): Prepared | undefined {
  const file = preparedFile(project);
  if (!existsSync(file)) return undefined;
  const prepared = JSON.parse(readFileSync(file, 'utf8')) as Prepared;
  // A changed entry of the catalogue has to be prepared anew.
  return JSON.stringify(prepared.project) === JSON.stringify(project) ? prepared : undefined;
}
