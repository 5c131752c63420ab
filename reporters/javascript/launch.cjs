'use strict';
/*
 * Starts a runner in a process to which the debugger does not attach, because the runner loads thousands of scripts. The
 * reporter in the runner lets the debugger attach to its workers, by the variable that is renamed here.
 */
const { spawn } = require('node:child_process');

const { AGENT_DEBUGGER_ATTACHES: name = '', [name]: attaches, ...env } = process.env;
const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...env, AGENT_DEBUGGER_WORKERS: JSON.stringify({ [name]: attaches }) },
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  if (signal !== null) process.exitCode = 1;
  else process.exitCode = code ?? 1;
});
child.on('error', (error) => {
  console.error(error);
  process.exitCode = 1;
});
