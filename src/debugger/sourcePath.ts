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

/** Whether two paths name one file: drive letters and slashes of Windows aside, exactly. */
export function samePath(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function comparable(path: string): string {
  const plain = personPath(path);
  return /^[a-z]:[\\/]/i.test(plain) ? plain.replaceAll('\\', '/').toLowerCase() : plain;
}
