/** Something that tells of its changes, of which many change nothing that a key says. */
interface Changing {
  onDidChange(listener: () => void): { dispose(): void };
}

/**
 * Keeps a context key of VS Code, for `when` clauses: written at the beginning and when its value is another, never
 * in between, so that nothing flickers.
 */
export function keepContextKey(
  of: readonly Changing[],
  read: () => boolean,
  write: (value: boolean) => void,
): { dispose(): void } {
  let written: boolean | undefined;
  const tell = (): void => {
    const value = read();
    if (value === written) return;
    written = value;
    write(value);
  };
  tell();
  const subscriptions = of.map((each) => each.onDidChange(tell));
  return { dispose: () => subscriptions.forEach((each) => each.dispose()) };
}
