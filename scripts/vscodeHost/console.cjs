'use strict';
/**
 * Loaded into the VS Code server and, by it, into its extension hosts. There it sends console output to the executable
 * that started the server. Otherwise VS Code mixes these lines with its own log, where they cannot be distinguished.
 */
if (
  process.env.AGENT_DEBUGGER_HOST_CONSOLE !== undefined &&
  process.argv.some((argument) => argument.includes('--type=extensionHost'))
) {
  const net = require('node:net');
  const { format } = require('node:util');
  const socket = net.connect(process.env.AGENT_DEBUGGER_HOST_CONSOLE);
  delete process.env.AGENT_DEBUGGER_HOST_CONSOLE;
  socket.on('error', () => undefined);
  socket.unref();
  const send = (type, args) =>
    void socket.write(`${JSON.stringify({ type, text: format(...args) })}\n`);
  // VS Code replaces the console's methods by its own accessors and does not call the previous methods.
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
  // The server does not pass NODE_OPTIONS on, so the module is added to the arguments of the fork.
  const childProcess = require('node:child_process');
  const { syncBuiltinESMExports } = require('node:module');
  const fork = childProcess.fork;
  childProcess.fork = (file, args, options) => {
    const isExtensionHost =
      Array.isArray(args) &&
      args.some((argument) => String(argument).includes('--type=extensionHost'));
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
