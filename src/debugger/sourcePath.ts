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

/** Resolves the links of a path. The extension sets it, because this folder accesses no files. */
let withoutLinks = (path: string): string => path;

/** Sets how links are resolved when files are compared. */
export function followLinksBy(resolve: (path: string) => string): void {
  withoutLinks = resolve;
}

/**
 * Whether two paths name the same file, also through links: a workspace or a package may be opened by a link, while a
 * runtime names its files by their real paths. In Windows paths, slashes and backslashes are equivalent. Case is ignored
 * on systems whose file systems usually ignore it (Windows, macOS).
 */
export function samePath(
  one: string,
  other: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  return (
    comparable(one, platform) === comparable(other, platform) ||
    fileKey(one, platform) === fileKey(other, platform)
  );
}

/** A text that is equal for all paths of a file, see `samePath`. It decides nothing about access. */
export function fileKey(path: string, platform: NodeJS.Platform = process.platform): string {
  return comparable(withoutLinks(personPath(path)), platform);
}

/** A path in a form that can be compared as text. Links are not followed. */
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
