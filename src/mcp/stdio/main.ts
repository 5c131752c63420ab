/**
 * The stdio bridge: `node stdio.js [--workspace <folder>]`, for clients that start their servers as processes. It is a
 * separate bundle, and runs on Node 18 or newer and on VS Code's own Node (`ELECTRON_RUN_AS_NODE=1`).
 */
import { runBridge } from './program';

runBridge().catch((error: unknown) => {
  process.stderr.write(
    `Agent Debugger: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
