'use strict';
/**
 * Loaded into the VS Code server and, by it, into its extension hosts. code-server lets every extension use every
 * proposed API. A test could not notice that our extension uses one, and the Agent Host would call none of its tools.
 * This closes proposed APIs to our extension, as in a VS Code that people install.
 */
const isExtensionHost = (args) =>
  args.some((argument) => String(argument).includes('--type=extensionHost'));

/** The code in the extension host that checks whether an extension may use a proposed API. */
const ALWAYS = /function (\w+)\((\w+),(\w+)\)\{return!0\}(?=function \w+\(\w+,\w+\)\{if\(!\1\()/;

if (isExtensionHost(process.argv)) {
  const { readFileSync } = require('node:fs');
  const { registerHooks } = require('node:module');
  const path = require('node:path');
  const { publisher, name } = JSON.parse(
    readFileSync(path.join(__dirname, '../../package.json'), 'utf8'),
  );
  const id = JSON.stringify(`${publisher}.${name}`);
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      if (!url.endsWith('/extensionHostProcess.js')) return loaded;
      const source = String(loaded.source);
      if (!ALWAYS.test(source))
        throw new Error('This VS Code asks about proposed APIs in another way.');
      const gated = source.replace(
        ALWAYS,
        (_, ask, extension, proposal) =>
          `function ${ask}(${extension},${proposal}){return ${extension}.identifier.value!==${id}}`,
      );
      return { ...loaded, source: gated };
    },
  });
} else if ((process.argv[1] ?? '').endsWith('server-main.js')) {
  // The server does not pass NODE_OPTIONS on, so the module is added to the arguments of the fork.
  const childProcess = require('node:child_process');
  const { syncBuiltinESMExports } = require('node:module');
  const fork = childProcess.fork;
  childProcess.fork = (file, args, options) =>
    fork(
      file,
      args,
      Array.isArray(args) && isExtensionHost(args)
        ? { ...options, execArgv: [...(options?.execArgv ?? []), `--require=${__filename}`] }
        : options,
    );
  syncBuiltinESMExports();
}
