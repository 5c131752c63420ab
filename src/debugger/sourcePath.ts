/**
 * The path that the person's files have. In a remote window (server, SSH, container, browser) messages name a file as
 * `vscode-remote://authority/path`; adapters may send `file:` addresses as well.
 */
export function personPath(path: string): string {
  const match = /^(?:vscode-remote|file):\/\/[^/]*(\/[^?#]*)/i.exec(path);
  if (match?.[1] === undefined) return path;
  const plain = decode(match[1]);
  // file:///C:/dir → C:/dir
  return /^\/[a-z]:\//i.test(plain) ? plain.slice(1) : plain;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whether two paths name one file: drive letters and slashes of Windows aside, exactly, but for case where the system's
 * file systems ignore it as a rule (Windows, macOS).
 */
export function samePath(
  one: string,
  other: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  return comparable(one, platform) === comparable(other, platform);
}

/** A path as it is compared with others by its text. */
export function comparable(path: string, platform: NodeJS.Platform = process.platform): string {
  const plain = personPath(path);
  if (/^[a-z]:[\\/]/i.test(plain)) return plain.replaceAll('\\', '/').toLowerCase();
  return platform === 'darwin' ? plain.normalize('NFC').toLowerCase() : plain;
}

/**
 * The network share that a path of Windows names (`\\server\share`), in small letters; undefined for a path of this
 * machine. To look for a file on a share is enough to make Windows log in there, so such a path is only ever compared.
 * Device paths (`\\?\…`, `\\.\…`), which can name shares as well, are taken for shares of the servers `?` and `.`.
 */
export function shareOf(
  file: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform !== 'win32') return undefined;
  const path = file.replaceAll('/', '\\').toLowerCase();
  if (path.startsWith('\\??\\')) return '\\\\?';
  const [, server, share = ''] = /^\\\\+([^\\]*)\\*([^\\]*)/.exec(path) ?? [];
  return server === undefined ? undefined : `\\\\${server}\\${share}`;
}

/** Whether a path names a network share that none of the folders lies on. Device paths always do. */
export function isForeignShare(
  file: string,
  folders: readonly string[],
  platform: NodeJS.Platform = process.platform,
): boolean {
  const share = shareOf(file, platform);
  if (share === undefined) return false;
  return /^\\\\[?.]/.test(share) || !folders.some((folder) => shareOf(folder, platform) === share);
}
