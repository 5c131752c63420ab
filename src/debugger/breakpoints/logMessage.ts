/**
 * The debug types whose adapters were seen to fill in nothing of a log message but what it holds in braces. Others may
 * take it for a text of their language that is expanded (PowerShell: `$name`, `$(…)`), or put it into code as it is.
 */
const EXPAND_BRACES_ONLY: ReadonlySet<string> = new Set([
  ...['node', 'chrome', 'msedge', 'node-terminal', 'extensionHost', 'editor-browser'].flatMap(
    (type) => [type, `pwa-${type}`],
  ),
  'debugpy',
  'python',
  'go',
  'lldb-dap',
]);

/** Whether a log message is mere text to every one of these debug types; where there is none, nobody knows. */
export function isMereText(message: string, types: readonly string[]): boolean {
  return (
    !message.includes('{') &&
    types.length > 0 &&
    types.every((type) => EXPAND_BRACES_ONLY.has(type))
  );
}

/**
 * Whether a printed text may be what a logpoint printed: it holds the longest part of the message that is no
 * expression. Any text may be where there is no such part.
 */
export function mayBeLogged(text: string, message: string): boolean {
  const [longest = ''] = message
    .split(/\{[^{}]*\}|[\r\n]+/)
    .map((part) => part.trim())
    .sort((one, other) => other.length - one.length);
  return text.includes(longest);
}
