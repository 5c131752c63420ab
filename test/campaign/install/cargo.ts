import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { succeed } from '../command';
import type { Installed } from '../project';
import { inTemporary } from './archives';

/** Takes a crate out of what `cargo vendor` fetches for a package that depends on it. */
export async function installCargo({ project, folder }: Installed): Promise<void> {
  const [name = '', version = ''] = (project.package ?? '').split('@');
  await inTemporary(async (temporary) => {
    mkdirSync(path.join(temporary, 'src'));
    writeFileSync(path.join(temporary, 'src/lib.rs'), '');
    writeFileSync(
      path.join(temporary, 'Cargo.toml'),
      `[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n${name} = "=${version}"\n`,
    );
    await succeed({ program: 'cargo', args: ['vendor', '--quiet'], cwd: temporary });
    cpSync(path.join(temporary, 'vendor', name), folder, { recursive: true });
  });
  rmSync(path.join(folder, '.cargo-checksum.json'), { force: true });
  // A configuration of the project's own repository may name files that the crate does not contain.
  if (existsSync(path.join(folder, '.cargo')))
    renameSync(path.join(folder, '.cargo'), path.join(folder, 'cargo-configuration'));
  await succeed(
    { program: 'cargo', args: ['test', '--no-run', '--quiet', ...project.tests], cwd: folder },
    900_000,
  );
}
