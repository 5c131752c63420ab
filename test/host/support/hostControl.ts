/** Sends a command that only the npm-delivered VS Code supports; false if another VS Code runs the tests. */
export async function control(
  command: 'screenshot' | 'press' | 'reload' | 'wait',
  input: object,
): Promise<boolean> {
  return (await ask(command, input)) !== undefined;
}

/** The texts of the elements that the window shows; undefined if another VS Code runs the tests. */
export async function shownTexts(selector: string): Promise<readonly string[] | undefined> {
  const texts = await ask('texts', { selector });
  return Array.isArray(texts) ? texts.map(String) : undefined;
}

/**
 * Waits for elements in the webview that the window shows, and clicks the first one if that is wanted. Returns their
 * texts; undefined if another VS Code runs the tests.
 */
export async function webviewTexts(
  selector: string,
  { clicks = false } = {},
): Promise<readonly string[] | undefined> {
  const texts = await ask('webview', { selector, clicks });
  return Array.isArray(texts) ? texts.map(String) : undefined;
}

async function ask(command: string, input: object): Promise<unknown> {
  const address = process.env['AGENT_DEBUGGER_HOST_CONTROL'];
  if (address === undefined) return undefined;
  const response = await fetch(`${address}/${command}`, {
    method: 'POST',
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`${command}: ${await response.text()}`);
  return await response.json();
}
