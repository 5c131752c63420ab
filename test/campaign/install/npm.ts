import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { succeed } from '../command';
import type { Installed } from '../project';
import { inTemporary, unpackOnly } from './archives';

/** Installs a package as `npm pack` delivers it. Of its packages for development, only those of the catalogue. */
export async function installNpm({ project, folder }: Installed): Promise<void> {
  await inTemporary(async (temporary) => {
    const args = ['pack', '--silent', '--ignore-scripts', project.package ?? ''];
    await succeed({ program: 'npm', args, cwd: temporary });
    await unpackOnly(temporary, folder);
  });
  const file = path.join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const devDependencies = Object.fromEntries((project.with ?? []).map(nameAndVersion));
  const changed = { ...manifest, ...project.manifest, devDependencies };
  writeFileSync(file, `${JSON.stringify(changed, undefined, 2)}\n`);
  // The peers of a package are those that the catalogue names.
  const args = [
    'install',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--legacy-peer-deps',
    '--silent',
  ];
  await succeed({ program: 'npm', args, cwd: folder });
}

function nameAndVersion(specifier: string): readonly [name: string, version: string] {
  const at = specifier.lastIndexOf('@');
  return at <= 0 ? [specifier, 'latest'] : [specifier.slice(0, at), specifier.slice(at + 1)];
}
