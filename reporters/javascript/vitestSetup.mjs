// Runs in each worker of vitest before the test file. vite may have transformed it for a browser.
const MODULE = 'node:module';
const load =
  typeof require === 'function'
    ? require
    : (await import(/* @vite-ignore */ MODULE)).createRequire(import.meta.url);

load(process.env.AGENT_DEBUGGER_WORKER).watch();
