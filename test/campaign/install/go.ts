import { cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { succeed } from '../command';
import type { Installed } from '../project';

/** Copies a module out of Go's cache, where its files are read-only, and fetches what its tests import. */
export async function installGo({ project, folder }: Installed): Promise<void> {
  const args = ['mod', 'download', '-json', project.package ?? ''];
  const answer = await succeed({ program: 'go', args, cwd: tmpdir() });
  const { Dir } = JSON.parse(answer) as { readonly Dir: string };
  cpSync(Dir, folder, { recursive: true });
  await succeed({ program: 'chmod', args: ['-R', 'u+w', '.'], cwd: folder });
  await succeed(
    { program: 'go', args: ['test', '-run', '^$', ...project.tests], cwd: folder },
    600_000,
  );
}
