import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { succeed } from '../command';

/** Runs an action in a temporary folder. */
export async function inTemporary<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-campaign-'));
  try {
    return await action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unpacks the only archive in a folder, without the folder around its files. */
export async function unpackOnly(from: string, to: string): Promise<void> {
  const [archive, ...others] = readdirSync(from).filter((file) => /\.(?:tgz|tar\.\w+)$/.test(file));
  if (archive === undefined || others.length > 0) throw new Error(`no single archive in ${from}`);
  const args = ['xf', path.join(from, archive), '--strip-components=1', '-C', to];
  await succeed({ program: 'tar', args, cwd: from });
}
