'use strict';
/**
 * Loaded into the VS Code server and, by it, into its extension hosts: there it sends what code writes to the console
 * to the executable that started the server. VS Code mixes those lines with its own log, from which they cannot be
 * told again.
 */
if (
  process.env.AGENT_DEBUGGER_HOST_CONSOLE !== undefined &&
  process.argv.some((each) => each.includes('--type=extensionHost'))
) {
  const net = require('node:net');
  const { format } = require('node:util');
  const socket = net.connect(process.env.AGENT_DEBUGGER_HOST_CONSOLE);
  delete process.env.AGENT_DEBUGGER_HOST_CONSOLE;
  socket.on('error', () => undefined);
  socket.unref();
  const send = (type, args) =>
    void socket.write(`${JSON.stringify({ type, text: format(...args) })}\n`);
  // VS Code puts accessors of its own in place of the console's methods and does not call those that were there.
  const define = Object.defineProperty;
  const types = new Set(['log', 'info', 'warn', 'error', 'debug']);
  Object.defineProperty = (target, key, descriptor) => {
    if (target !== console || !types.has(key) || descriptor.get === undefined)
      return define(target, key, descriptor);
    const { get } = descriptor;
    const both = () => {
      const theirs = get();
      return (...args) => {
        send(key, args);
        theirs(...args);
      };
    };
    return define(target, key, { ...descriptor, get: both });
  };
} else if ((process.argv[1] ?? '').endsWith('server-main.js')) {
  // The server hands no NODE_OPTIONS on, so the module is named where it forks.
  const childProcess = require('node:child_process');
  const { syncBuiltinESMExports } = require('node:module');
  const fork = childProcess.fork;
  childProcess.fork = (file, args, options) => {
    const isExtensionHost =
      Array.isArray(args) && args.some((each) => String(each).includes('--type=extensionHost'));
    return fork(
      file,
      args,
      isExtensionHost
        ? { ...options, execArgv: [...(options?.execArgv ?? []), `--require=${__filename}`] }
        : options,
    );
  };
  syncBuiltinESMExports();
}
