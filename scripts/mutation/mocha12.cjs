// @ts-check
/**
 * Stryker's mocha runner loads `mocha/lib/cli/run-helpers` without a file extension. Mocha 12 named these files `.cjs`,
 * an extension that Node.js does not try by itself. Remove this file when the runner supports Mocha 12.
 */
require.extensions['.cjs'] ??= require.extensions['.js'];
