import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** The file that a maintainer fills in. An empty text means that it is not known yet. */
export const PUBLISHING = 'publishing.json';

const publishingSchema = z.strictObject({
  publisher: z.string(),
  owner: z.string(),
  repository: z.string(),
  homepage: z.string(),
  bugs: z.string(),
  images: z.string(),
  mcpName: z.string(),
  npmPackage: z.string().regex(/^(@[a-z0-9-]+\/)?[a-z0-9][a-z0-9._-]*$/),
  author: z.string(),
  email: z.string(),
});

const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  license: z.string(),
  keywords: z.array(z.string()),
});

export type Publishing = z.infer<typeof publishingSchema>;

/** What all packages say about the project. */
export interface Facts extends Publishing {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly displayName: string;
  readonly description: string;
}

/** Reads the facts from the manifest and the publishing file. @throws if one of them has another form */
export function readFacts(root: string): Facts {
  const json = (file: string): unknown =>
    JSON.parse(readFileSync(path.join(root, file), 'utf8')) as unknown;
  const { name, version, license, keywords } = manifestSchema.parse(json('package.json'));
  const strings = z.record(z.string(), z.string()).parse(json('package.nls.json'));
  return {
    ...publishingSchema.parse(json(PUBLISHING)),
    name,
    version,
    license,
    keywords,
    displayName: strings['extension.displayName'] ?? name,
    description: strings['extension.description'] ?? '',
  };
}

/** What a maintainer still has to fill in before anything can be published. */
export function missingFacts(facts: Facts): readonly string[] {
  const needed = ['publisher', 'owner', 'repository', 'bugs', 'images', 'mcpName', 'author'];
  return needed.filter((name) =>
    Object.entries(facts).some(([key, value]) => key === name && value === ''),
  );
}

/** The properties whose value is known. */
export function known(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

/** The prerelease channel of the Marketplace: versions with an odd minor number. */
export function isPreRelease(version: string): boolean {
  return Number(version.split('.')[1]) % 2 === 1;
}
