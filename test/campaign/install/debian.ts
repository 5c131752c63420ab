import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run, succeed } from '../command';
import { CAMPAIGN_FOLDER, type Installed } from '../project';
import { inTemporary } from './archives';

/**
 * Fetches a source package of Debian, with the upstream project's own tests. The sources are enabled only in lists of
 * our own: those of the system stay as they are.
 */
export async function installDebian({ project, folder }: Installed): Promise<void> {
  const [name = '', version = ''] = (project.package ?? '').split('=');
  const options = await sourceLists();
  await ensure('dpkg-source', 'dpkg-dev');
  await ensure('cmake', 'cmake');
  await inTemporary(async (temporary) => {
    const args = [...options, 'source', '-qq', '--download-only', `${name}=${version}`];
    await succeed({ program: 'apt-get', args, cwd: temporary });
    const description = readdirSync(temporary).find((file) => file.endsWith('.dsc')) ?? '';
    const unpack = ['--no-check', '-x', description, 'unpacked'];
    await succeed({ program: 'dpkg-source', args: unpack, cwd: temporary });
    await succeed({ program: 'cp', args: ['-a', 'unpacked/.', folder], cwd: temporary });
  });
}

async function ensure(program: string, debianPackage: string): Promise<void> {
  const found = await run({ program: 'sh', args: ['-c', `command -v ${program}`], cwd: '/' });
  if (found.code !== 0)
    await succeed({ program: 'apt-get', args: ['install', '-y', '-qq', debianPackage], cwd: '/' });
}

/** Writes the system's lists of packages as lists of sources, and returns the options that select them. */
async function sourceLists(): Promise<readonly string[]> {
  const [parts, lists] = ['sources', 'lists'].map((each) =>
    path.join(CAMPAIGN_FOLDER, '.debian', each),
  );
  if (parts === undefined || lists === undefined) throw new Error('no folder for the lists');
  for (const each of [parts, path.join(lists, 'partial')]) mkdirSync(each, { recursive: true });
  const system = '/etc/apt/sources.list.d/debian.sources';
  writeFileSync(
    path.join(parts, 'debian.sources'),
    readFileSync(system, 'utf8').replaceAll(/^Types: deb$/gm, 'Types: deb-src'),
  );
  const options = [
    ...['-o', 'Dir::Etc::SourceList=/dev/null', '-o', `Dir::Etc::SourceParts=${parts}`],
    ...['-o', `Dir::State::Lists=${lists}`, '-o', 'APT::Sandbox::User=root'],
  ];
  await succeed({ program: 'apt-get', args: [...options, 'update', '-qq'], cwd: '/' });
  return options;
}
