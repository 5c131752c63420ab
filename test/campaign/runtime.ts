import { existsSync } from 'node:fs';
import path from 'node:path';
import { run, succeed, type Command, type Ran } from './command';
import { CAMPAIGN_FOLDER, type Project } from './project';

/** The folder of the version of Node that a project needs. Undefined if the machine's own is meant. */
export function nodeFolder({ language, runtime }: Project): string | undefined {
  if (language !== 'javascript' || runtime === undefined) return undefined;
  return path.join(CAMPAIGN_FOLDER, '.node', runtime, 'node_modules', nodePackage(), 'bin');
}

function nodePackage(): string {
  return `node-linux-${process.arch}`;
}

/** Installs the version of Node that a project needs, as the registry of npm delivers it. */
export async function ensureNode(project: Project): Promise<void> {
  const folder = nodeFolder(project);
  if (folder === undefined || existsSync(path.join(folder, 'node'))) return;
  const prefix = path.join(CAMPAIGN_FOLDER, '.node', project.runtime ?? '');
  const args = ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--silent'];
  const node = `${nodePackage()}@${project.runtime ?? ''}`;
  await succeed({ program: 'npm', args: [...args, node], cwd: CAMPAIGN_FOLDER });
}

/** Runs a command with the language version of a project first on the path. */
export function runFor(project: Project, command: Command, limitMs?: number): Promise<Ran> {
  const folder = nodeFolder(project);
  if (folder === undefined) return run(command, limitMs);
  const before = process.env['PATH'] ?? '';
  const env = { ...command.env, PATH: `${folder}${path.delimiter}${before}` };
  return run({ ...command, env }, limitMs);
}
