import path from 'node:path';
import { isFields, listOf, textOf } from '../../debugger/protocol';
import type { ToolServices } from '../../tools/services';
import { defined } from '../../util/defined';
import type { TestProject } from '../testFramework';
import { missingTags } from './buildTags';
import { sortFlags, tagsIn, type GoFlags } from './goFlags';

/** How a project builds and runs its tests. */
export interface GoOptions extends GoFlags {
  /** The environment of the build. */
  readonly buildEnv: Readonly<Record<string, string>>;
  /** The environment of the test. */
  readonly env: Readonly<Record<string, string>>;
  readonly envFile?: string;
}

/**
 * Returns how the tests of a file are built and run: as the settings of VS Code's Go extension say, with the flags of the
 * call and the tags that the file itself needs.
 */
export function goOptions(project: TestProject, args: readonly string[]): GoOptions {
  const { services, file, text } = project;
  const folder = folderOf(services, file);
  const setting = (name: string): unknown => services.workspace.setting(`go.${name}`, folder);
  const flags = setting('testFlags') ?? setting('buildFlags');
  const sorted = sortFlags([...listOf(flags).flatMap((flag) => textOf(flag) ?? []), ...args]);
  const configured = textOf(setting('testTags')) ?? textOf(setting('buildTags')) ?? '';
  const tags = [...new Set([...tagsIn(configured), ...sorted.tags])];
  const resolved = (value: unknown): Readonly<Record<string, string>> => textsIn(value, folder);
  const buildEnv = {
    ...resolved(setting('toolsEnvVars')),
    ...pathWith(services, setting('goroot')),
  };
  return {
    ...sorted,
    tags: [...tags, ...missingTags(text, tags)],
    buildEnv,
    env: { ...resolved(setting('toolsEnvVars')), ...resolved(setting('testEnvVars')) },
    ...defined({ envFile: textOf(setting('testEnvFile')) || undefined }),
  };
}

function folderOf({ workspace }: ToolServices, file: string): string | undefined {
  return workspace.folders.find((folder) => file.startsWith(`${folder.path}${path.sep}`))?.path;
}

function textsIn(value: unknown, folder: string | undefined): Readonly<Record<string, string>> {
  if (!isFields(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) =>
      typeof text === 'string' || typeof text === 'number'
        ? [[name, String(text).replaceAll('${workspaceFolder}', folder ?? '')] as const]
        : [],
    ),
  );
}

/** Puts the Go that the settings choose before all others. */
function pathWith({ workspace }: ToolServices, goroot: unknown): Readonly<Record<string, string>> {
  const root = textOf(goroot) ?? '';
  if (root === '') return {};
  const others = workspace.variable('env', 'PATH', undefined) ?? '';
  return { PATH: `${path.join(root, 'bin')}${path.delimiter}${others}` };
}
