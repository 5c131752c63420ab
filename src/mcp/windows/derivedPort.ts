import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { homeFolder } from './home';

/** Below the ports that systems give to any connection by themselves: Linux from 32768 on, macOS and Windows from 49152 on. */
const LOWEST = 20_000;
const COUNT = 10_000;

/** What many people have running on their machines, and the one port that the first versions gave to everybody. */
const OTHERS: ReadonlySet<number> = new Set([
  20000, 20048, 21025, 22000, 22222, 23053, 23399, 24007, 24008, 24224, 24444, 24642, 24678, 24800,
  25555, 25565, 25575, 25672, 25826, 26000, 26257, 26321, 26379, 26656, 26657, 27015, 27016, 27017,
  27018, 27019, 27036, 27037, 27374, 27500, 27960, 28015, 28017, 28960, 29015, 29092, 29418, 29999,
]);

/** Whose port it is. */
export interface Owner {
  /** The user's id; on Windows their name. */
  readonly user: string;
  /** Through which their windows find each other. */
  readonly folder: string;
}

/**
 * The clients' port of a person on a machine: the same in all windows and editors that find each other, whatever
 * happens, and most probably another than that of every other user of the machine, so that nobody's client sends its
 * key to somebody else's window, and nobody finds the port taken.
 */
export function portOf({ user, folder }: Owner): number {
  for (let tries = 0; ; tries += 1) {
    const hash = createHash('sha256').update(`${user}\n${folder}\n${tries}`).digest();
    const port = LOWEST + (hash.readUInt32BE(0) % COUNT);
    if (!OTHERS.has(port)) return port;
  }
}

let own: { readonly folder: string; readonly port: number } | undefined;

/** The port of the person that this process runs for. */
export function derivedPort(): number {
  const folder = homeFolder();
  if (own?.folder !== folder)
    own = { folder, port: portOf({ user: currentUser(), folder: withoutLinks(folder) }) };
  return own.port;
}

function currentUser(): string {
  return process.getuid === undefined
    ? userInfo().username.toLowerCase()
    : String(process.getuid());
}

/** The folder may not be there yet; the one that it lies in is. The same home folder may be reached through a link, too. */
function withoutLinks(folder: string): string {
  const parent = path.dirname(folder);
  let real = parent;
  try {
    real = realpathSync.native(parent);
  } catch {
    // as it is named
  }
  const whole = path.join(real, path.basename(folder));
  return process.platform === 'win32' ? whole.toLowerCase() : whole;
}
