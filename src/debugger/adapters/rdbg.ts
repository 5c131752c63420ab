import type { Adapter } from './adapter';
import { plainFilter } from './adapterParts';

/** Ruby's own debugger, by the extensions "VSCode rdbg" and "Ruby LSP". */
export const rdbg: Adapter = {
  name: 'rdbg',
  types: ['rdbg', 'ruby_lsp'],
  seenIn: 'debug 1.4.0',
  languages: ['ruby'],
  extension: 'KoichiSasada.vscode-rdbg',

  exceptionFilters: [
    plainFilter('any', 'rescue any exception'),
    plainFilter('RuntimeError', 'rescue RuntimeError'),
  ],
  // VS Code selects the second one by default. The first one stops at the same exceptions.
  testStops: { filters: ['any', 'RuntimeError'] },
};
