import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';

let collect: (() => void) | undefined;

/** The size of the extension host's heap after garbage collection, in MB. */
export async function heldMemory(): Promise<number> {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    // Otherwise V8 would discard code that was not used for a while during a measurement.
    setFlagsFromString('--no-flush-bytecode');
    collect = runInNewContext('gc') as () => void;
    // Another extension that VS Code activates during a measurement would add megabytes.
    await Promise.allSettled(vscode.extensions.all.map((each) => each.activate()));
  }
  // Finalizers run one turn later, and so is the memory that they release.
  for (let pass = 0; pass < 3; pass += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
