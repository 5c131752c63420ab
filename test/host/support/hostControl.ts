/** Asks the npm-delivered VS Code's executable for what only it can do; false where another VS Code runs the tests. */
export async function control(
  command: 'screenshot' | 'press' | 'reload',
  input: object,
): Promise<boolean> {
  const address = process.env['AGENT_DEBUGGER_HOST_CONTROL'];
  if (address === undefined) return false;
  const response = await fetch(`${address}/${command}`, {
    method: 'POST',
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`${command}: ${await response.text()}`);
  return true;
}
