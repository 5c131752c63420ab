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
export function samePath(one: string, other: string, platform: NodeJS.Platform = process.platform): boolean {
  return comparable(one, platform) === comparable(other, platform);
}

function comparable(path: string, platform: NodeJS.Platform): string {
  const plain = personPath(path);
  if (/^[a-z]:[\\/]/i.test(plain)) return plain.replaceAll('\\', '/').toLowerCase();
  return platform === 'darwin' ? plain.normalize('NFC').toLowerCase() : plain;
}
