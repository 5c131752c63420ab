import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';

let collect: (() => void) | undefined;

/** What the extension host's heap holds once what nobody holds any more is gone, in MB. */
export async function heldMemory(): Promise<number> {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    // Code that was not used for a while would go in the midst of a measurement.
    setFlagsFromString('--no-flush-bytecode');
    collect = runInNewContext('gc') as () => void;
    // Another extension that VS Code activates in the midst of a measurement is megabytes.
    await Promise.allSettled(vscode.extensions.all.map((each) => each.activate()));
  }
  // Finalizers and what they let go of come a turn later.
  for (let pass = 0; pass < 3; pass += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
