import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { isFields, listOf, textOf, wholeOf, type Fields } from '../../debugger/protocol';
import { keptText } from '../../debugger/texts';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import type { loadedModule } from '../../results/resultSchemas';
import { resultFields } from '../../results/resultSchemas';
import { maxChars, resultSchema } from '../schemas';
import { count, leftOut, start } from './paging';

export const getModules = defineTool({
  name: 'get_modules',
  set: 'advanced',
  effect: 'read',
  title: 'List Modules',
  userDescription: 'Lists the modules that the program has loaded',
  modelDescription: 'List the modules (libraries) that the program has loaded.',
  icon: 'library',
  input: z.strictObject({ start, count, max_chars: maxChars }),
  output: resultSchema(['success'], {
    modules: resultFields.modules.optional(),
    total: z.int().optional(),
  }),
  needs: 'session',
  capability: 'supportsModulesRequest',
  doing: () => l10n.t('Listing modules'),
  run: async ({ input, target: { session }, services, call }) => {
    // A page is cut out here: lldb-dap 19 and debugpy send all, whatever part is asked for, and tell no total to know it by.
    const body = await services.inspector.send(session, 'modules', {}, call.signal);
    const all = listOf(body['modules']).filter(isFields);
    const page = { entries: all.slice(input.start, input.start + input.count), total: all.length };
    return success({
      modules: page.entries.map(moduleView),
      total: page.total,
      ...leftOut('modules', page, input),
    });
  },
});

function moduleView(each: Fields): z.input<typeof loadedModule> {
  return defined({
    id: keptText(each['id']) ?? String(wholeOf(each['id']) ?? ''),
    name: keptText(each['name']) ?? '',
    path: keptText(each['path']),
    version: keptText(each['version']),
    symbols: keptText(each['symbolStatus']),
    symbol_file: keptText(each['symbolFilePath']),
    address_range: textOf(each['addressRange']),
    optimized: each['isOptimized'] === true ? true : undefined,
    user_code: typeof each['isUserCode'] === 'boolean' ? each['isUserCode'] : undefined,
  });
}
