/** The folder of the extensions that are built into VS Code. */
const BUILT_IN = /\/lib\/vscode\/extensions\/[^/]+\//;

/**
 * All extensions share the extension host, so mocha also fails a test when another extension throws in a callback. For
 * example, js-debug throws when a program ends while it connects. Such errors are printed, and fail no test of ours.
 */
before(() => {
  const handlers = process.listeners('uncaughtException');
  for (const handler of handlers) {
    process.removeListener('uncaughtException', handler);
    process.on('uncaughtException', (error, origin) => {
      if (!isOfOtherExtension(error)) handler.call(process, error, origin);
    });
  }
  process.on('uncaughtException', (error) => {
    if (isOfOtherExtension(error)) console.log(`      another extension threw: ${error.message}`);
  });
});

function isOfOtherExtension(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const frame = /^\s+at .*$/m.exec(error.stack ?? '')?.[0] ?? '';
  return BUILT_IN.test(frame);
}
