'use strict';
const path = require('node:path');
const { Worker } = require('node:worker_threads');

/** The part of the time limit that is left for the debugger to start the program, and to read the report. */
const RESERVE_SECONDS = 0.5;

/**
 * Starts a thread that reads, shortly before the time limit of the call, where this thread is. The test may block it.
 * @param report the file that the place is written to
 */
function watchHang(report) {
  const limit = Number(process.env.AGENT_DEBUGGER_SECONDS);
  if (!(limit > 0)) return;
  const seconds = Math.max(limit - RESERVE_SECONDS, limit / 2) - process.uptime();
  const worker = new Worker(path.join(__dirname, 'hangThread.cjs'), {
    workerData: { report, milliseconds: Math.max(0, seconds * 1000) },
    ...{ execArgv: [], env: {}, stdout: true, stderr: true },
  });
  worker.on('error', () => undefined);
  worker.unref();
}

module.exports = { watchHang };
