import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** The file that a maintainer fills in. An empty value means that it is not filled in yet. */
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

/** The project's metadata for all packages. */
export interface Facts extends Publishing {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly displayName: string;
  readonly description: string;
}

/** Reads the facts from the manifest and the publishing file. @throws if one of them is not valid */
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

/** The names of the facts that a maintainer must still fill in before publishing. */
export function missingFacts(facts: Facts): readonly string[] {
  const needed = ['publisher', 'owner', 'repository', 'bugs', 'images', 'mcpName', 'author'];
  return needed.filter((name) =>
    Object.entries(facts).some(([key, value]) => key === name && value === ''),
  );
}

/** The properties that have a value. */
export function nonEmpty(
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

/** Whether a version goes to the prerelease channel of the Marketplace: its minor number is odd. */
export function isPreRelease(version: string): boolean {
  return Number(version.split('.')[1]) % 2 === 1;
}
