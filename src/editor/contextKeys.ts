/** An object with a change event. Many of its events do not affect the key. */
interface Changing {
  onDidChange(listener: () => void): { dispose(): void };
}

/**
 * Keeps a context key of VS Code (for `when` clauses) up to date. The key is written only at the start and when its
 * value changes, so that the user interface does not flicker.
 */
export function keepContextKey(
  of: readonly Changing[],
  read: () => boolean,
  write: (value: boolean) => void,
): { dispose(): void } {
  let written: boolean | undefined;
  const update = (): void => {
    const value = read();
    if (value === written) return;
    written = value;
    write(value);
  };
  update();
  const subscriptions = of.map((source) => source.onDidChange(update));
  return { dispose: () => subscriptions.forEach((subscription) => subscription.dispose()) };
}
