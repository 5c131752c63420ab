import { adapterOf } from '../adapters/registry';

/** Whether a log message is mere text to every one of these debug types; where there is none, nobody knows. */
export function isMereText(message: string, types: readonly string[]): boolean {
  return (
    !message.includes('{') &&
    types.length > 0 &&
    types.every((type) => adapterOf(type).evaluatesBracesOnly === true)
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
