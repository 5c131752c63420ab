import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** A third-party package whose code may be in the extension. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Its folder, relative to the project. */
  readonly folder: string;
  /** The text of its licence; empty when the package has none. */
  readonly text: string;
  /** The lock file's checksum, such as `sha512-…`. */
  readonly integrity: string;
}

const lockSchema = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      optional: z.boolean().optional(),
      peer: z.boolean().optional(),
    }),
  ),
});

/** The packages that may be bundled: those of the lock file that are not for development. */
export function productionPackages(root: string): readonly ThirdParty[] {
  const lock = lockSchema.parse(
    JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')),
  );
  return Object.entries(lock.packages)
    .filter(([folder, { dev, devOptional, optional }]) =>
      [folder === '', dev, devOptional, optional].every((no) => no !== true),
    )
    .map(([folder, { version = '', license, integrity = '' }]) => ({
      name: folder.replace(/^.*node_modules\//, ''),
      version,
      license: license ?? manifestLicense(root, folder),
      folder,
      text: licenceText(path.join(root, folder)),
      integrity,
    }))
    .sort((one, other) => (one.folder < other.folder ? -1 : 1));
}

/** The folders of packages in a source map of webpack, relative to the project. */
export function bundledFolders(map: string): ReadonlySet<string> {
  const { sources } = z.looseObject({ sources: z.array(z.string()) }).parse(JSON.parse(map));
  const found = sources.flatMap((source) => {
    // If `node_modules` is a link, the first one in the path may be outside the project's folder.
    const [, inside] = /\/(node_modules\/.*)$/.exec(source.replace(/\?.*$/, '')) ?? [];
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(inside ?? '')?.[0];
    return folder === undefined ? [] : [folder];
  });
  return new Set(found);
}

function manifestLicense(root: string, folder: string): string {
  const { license } = z
    .looseObject({ license: z.string().optional() })
    .parse(JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')));
  return license ?? 'unknown';
}

function licenceText(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  return names
    .sort()
    .map((name) => readFileSync(path.join(folder, name), 'utf8').replace(/\r\n/g, '\n').trim())
    .join('\n\n');
}
