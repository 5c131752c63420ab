import { strict as assert } from 'node:assert';
import { GuardedWorkspace } from '../../../src/tools/files/fileAccess';
import { planFor } from '../../../src/tools/launch/launchPlan';
import { startInput } from '../../../src/tools/launch/startInput';
import type { InstalledDebugger } from '../../../src/tools/services';
import { bench, FakeWorkspace, type Bench } from './services';

export const APP = '/home/ada/app';

class Workspace extends FakeWorkspace {
  override debuggers(): readonly InstalledDebugger[] {
    return [
      { type: 'node', label: 'Node', languages: ['javascript'] },
      { type: 'debugpy', label: 'Python', languages: ['python'] },
      { type: 'lldb-dap', label: 'LLDB', languages: ['c'] },
    ];
  }
}

/** A workspace with these files (a text, or null for a binary) and these links to other files. */
export function holding(
  files: Readonly<Record<string, string | null>>,
  links: Readonly<Record<string, string>> = {},
): Bench {
  const on = bench();
  const workspace = new Workspace();
  for (const [file, text] of Object.entries(files)) workspace.files.set(file, text ?? '');
  for (const [link, file] of Object.entries(links)) workspace.links.set(link, file);
  const read = workspace.read.bind(workspace);
  workspace.read = async (file) => (files[file] === null ? { kind: 'binary' } : await read(file));
  workspace.values.set('env:PATH', '/usr/local/bin:/usr/bin');
  const guarded = new GuardedWorkspace(workspace, workspace, () => Promise.resolve(false));
  return { ...on, workspace, services: { ...on.services, workspace: guarded } };
}

/** The configuration that a call starts. */
export async function made(on: Bench, input: object): Promise<object> {
  const [launch] = (await planFor(on.services, startInput.parse(input))).launches;
  return launch?.configuration ?? assert.fail('nothing');
}
