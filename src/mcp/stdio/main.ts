/**
 * The stdio bridge: `node stdio.js [--workspace <folder>]`, for clients that start their servers as processes. It is a
 * bundle of its own, and runs on any Node from 18 on and on VS Code's own (`ELECTRON_RUN_AS_NODE=1`).
 */
import { runBridge } from './program';

runBridge().catch((error: unknown) => {
  process.stderr.write(
    `Agent Debugger: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
