import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const FILE = path.resolve(__dirname, '../../../.vscode-test/adapters/toolchain.json');
const toolchain = z.record(z.string(), z.object({ path: z.string(), version: z.string() }));
type Chosen = z.infer<typeof toolchain>[string];

/** What `npm run adapters:setup` chose for this machine. */
const CHOSEN: Readonly<Record<string, Chosen>> = existsSync(FILE)
  ? toolchain.parse(JSON.parse(readFileSync(FILE, 'utf8')))
  : {};

/** Whether the set-up chose all of these programs, such as `delve`, `python` or `lldbDap`. */
export const hasTools = (...names: string[]): boolean => names.every((name) => name in CHOSEN);

/** The path of a chosen program. If the set-up did not run, a name under which no file is found. */
export const toolPath = (name: string): string => CHOSEN[name]?.path ?? `${name} (not set up)`;

/** Whether a chosen program has at least a version such as `1.27`. */
export function isAtLeast(name: string, least: string): boolean {
  const [ours = [], theirs = []] = [CHOSEN[name]?.version ?? '0', least].map((version) =>
    version.split('.').map((part) => Number.parseInt(part, 10)),
  );
  const differing = theirs.findIndex((part, index) => part !== (ours[index] ?? 0));
  return differing === -1 || (ours[differing] ?? 0) > (theirs[differing] ?? 0);
}
