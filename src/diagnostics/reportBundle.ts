import { strToU8, zipSync } from 'fflate';

/** A file of a report bundle, already redacted. */
export interface BundleFile {
  readonly name: string;
  readonly text: string;
}

/** The README of the bundle, for the people who receive it. */
const README = `Report of the VS Code extension Agent Debugger.

Each file is text. Credentials that the redactor recognizes, values of environment variables, and
what stands under names such as "password" are removed. Look through the files before you attach
them to an issue: they contain paths, names and values of the programs that were debugged.

`;

/**
 * Packs files as a zip.
 * @param notes lines for the bundle's README, for example about omitted files
 */
export function bundle(
  files: readonly BundleFile[],
  notes: readonly string[],
  at: Date,
): Uint8Array {
  const list = files.map(({ name, text }) => `- ${name}: ${text.length} characters`);
  const readme = `${README}${[...list, ...notes.map((note) => `- ${note}`)].join('\n')}\n`;
  const entries: Record<string, Uint8Array> = {};
  for (const { name, text } of [{ name: 'README.txt', text: readme }, ...files])
    entries[name] = strToU8(text);
  return zipSync(entries, { mtime: zipDate(at), level: 6 });
}

/** A zip file supports the years from 1980 to 2099. */
function zipDate(at: Date): Date {
  const year = at.getFullYear();
  return year >= 1980 && year <= 2099 ? at : new Date(1980, 0, 1);
}
