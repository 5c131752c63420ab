import { adapterOf } from '../adapters/registry';

/** Whether none of these debug types evaluates any part of a log message. False if there are no types. */
export function isMereText(message: string, types: readonly string[]): boolean {
  return (
    !message.includes('{') &&
    types.length > 0 &&
    types.every((type) => adapterOf(type).evaluatesBracesOnly === true)
  );
}

/**
 * Whether a logpoint may have printed a text: whether the text contains the longest part of the message that is not an
 * expression. True for any text if there is no such part.
 */
export function mayBeLogged(text: string, message: string): boolean {
  const [longest = ''] = message
    .split(/\{[^{}]*\}|[\r\n]+/)
    .map((part) => part.trim())
    .sort((one, other) => other.length - one.length);
  return text.includes(longest);
}
