import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { homeFolder } from './home';

/**
 * The range of derived ports. It is below the ephemeral ports of operating systems: Linux from 32768, macOS and Windows
 * from 49152.
 */
const LOWEST = 20_000;
const COUNT = 10_000;

/** Ports of well-known programs, and the port that the first versions used for all users. */
const USED_BY_OTHERS: ReadonlySet<number> = new Set([
  20000, 20048, 21025, 22000, 22222, 23053, 23399, 24007, 24008, 24224, 24444, 24642, 24678, 24800,
  25555, 25565, 25575, 25672, 25826, 26000, 26257, 26321, 26379, 26656, 26657, 27015, 27016, 27017,
  27018, 27019, 27036, 27037, 27374, 27500, 27960, 28015, 28017, 28960, 29015, 29092, 29418, 29999,
]);

/** The data from which a person's port is derived. */
export interface Owner {
  /** The user's id, or the user's name on Windows. */
  readonly user: string;
  /** The folder in which their windows find each other. */
  readonly folder: string;
}

/**
 * The clients' port of a person on a machine. All windows and editors that find each other have the same port. It most
 * likely differs from the port of every other user of the machine. So it is usually free, and no client sends its key
 * to another user's window.
 */
export function portOf({ user, folder }: Owner): number {
  for (let tries = 0; ; tries += 1) {
    const hash = createHash('sha256').update(`${user}\n${folder}\n${tries}`).digest();
    const port = LOWEST + (hash.readUInt32BE(0) % COUNT);
    if (!USED_BY_OTHERS.has(port)) return port;
  }
}

/** The port of the person who runs this process. */
export function derivedPort(): number {
  return portOf({ user: currentUser(), folder: withoutLinks(homeFolder()) });
}

function currentUser(): string {
  return process.getuid === undefined
    ? userInfo().username.toLowerCase()
    : String(process.getuid());
}

/**
 * Resolves links in the parent folder. The home folder may be reached through a link, and the folder may not exist yet.
 */
function withoutLinks(folder: string): string {
  const parent = path.dirname(folder);
  let real = parent;
  try {
    real = realpathSync.native(parent);
  } catch {
    // The path stays unchanged.
  }
  const whole = path.join(real, path.basename(folder));
  return process.platform === 'win32' ? whole.toLowerCase() : whole;
}
