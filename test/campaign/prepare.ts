import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { plant, seenTwice } from './change/plant';
import { install, isInstalled } from './install/install';
import {
  CAMPAIGN_FOLDER,
  preparedFile,
  READER,
  readPrepared,
  type Prepared,
  type Project,
} from './project';
import { ensureNode, runFor } from './runtime';
import { runnerOf } from './runners/all';

/** Installs a project and plants its fault. What was prepared before is used again. */
export async function prepare(project: Project, say: (text: string) => void): Promise<Prepared> {
  const before = isInstalled(project) ? readPrepared(project) : undefined;
  if (before?.reader === READER) return before;
  if (!isInstalled(project))
    rmSync(path.join(CAMPAIGN_FOLDER, `${project.name}.original`), { force: true });
  if (!isInstalled(project)) say('installing');
  await ensureNode(project);
  const installed = await install(project);
  const runner = runnerOf(project.runner);
  const { stdout, stderr } = await runFor(project, runner.version(installed));
  const version = /\d+\.\d+(?:\.\d+)?/.exec(stdout + stderr)?.[0] ?? 'unknown';
  const planted = await plant(installed, before?.fault ?? project.fault, say);
  const tests = await seenTwice(installed, planted.tests);
  const { fault } = planted;
  const prepared = { project, folder: installed.folder, version, fault, tests, reader: READER };
  writeFileSync(preparedFile(project), JSON.stringify(prepared, undefined, 1));
  return prepared;
}
