/**
 * The plain path of one of the person's files. In a remote window (server, SSH, container, browser), messages name a
 * file as `vscode-remote://authority/path`. Adapters may also send `file:` URIs.
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
 * Whether two paths name the same file. In Windows paths, slashes and backslashes are equivalent. Case is ignored on
 * systems whose file systems usually ignore it (Windows, macOS).
 */
export function samePath(
  one: string,
  other: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  return comparable(one, platform) === comparable(other, platform);
}

/** A path in a form that can be compared as text. */
export function comparable(path: string, platform: NodeJS.Platform = process.platform): string {
  const plain = personPath(path);
  if (/^[a-z]:[\\/]/i.test(plain)) return plain.replaceAll('\\', '/').toLowerCase();
  return platform === 'darwin' ? plain.normalize('NFC').toLowerCase() : plain;
}

/**
 * The network share in a Windows path (`\\server\share`), in lower case; undefined for a local path. If a file on a
 * share is accessed, Windows logs in to its server, so such a path is only compared. Device paths (`\\?\…`, `\\.\…`),
 * which can name shares as well, are treated as shares of the servers `?` and `.`.
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

/** Whether a path is on a network share that contains none of the folders. Always true for device paths. */
export function isForeignShare(
  file: string,
  folders: readonly string[],
  platform: NodeJS.Platform = process.platform,
): boolean {
  const share = shareOf(file, platform);
  if (share === undefined) return false;
  return /^\\\\[?.]/.test(share) || !folders.some((folder) => shareOf(folder, platform) === share);
}
