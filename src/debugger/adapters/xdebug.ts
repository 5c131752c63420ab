import type { Adapter } from './adapter';
import { plainFilter } from './adapterParts';

/** Xdebug, by the extension "PHP Debug", according to its documentation. */
export const xdebug: Adapter = {
  name: 'xdebug',
  types: ['php'],
  seenIn: 'documentation only',
  languages: ['php'],
  extension: 'xdebug.php-debug',

  exceptionFilters: [
    plainFilter('Notice', 'Notices'),
    plainFilter('Warning', 'Warnings'),
    plainFilter('Error', 'Errors'),
    plainFilter('Exception', 'Exceptions'),
    plainFilter('*', 'Everything'),
  ],
  testStops: { filters: ['Exception', 'Error'] },
};
