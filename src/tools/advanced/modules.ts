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
    // The list is paged here, because lldb-dap 19 and debugpy send all modules without a total, even if only a part is
    // requested.
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

function moduleView(module: Fields): z.input<typeof loadedModule> {
  return defined({
    id: keptText(module['id']) ?? String(wholeOf(module['id']) ?? ''),
    name: keptText(module['name']) ?? '',
    path: keptText(module['path']),
    version: keptText(module['version']),
    symbols: keptText(module['symbolStatus']),
    symbol_file: keptText(module['symbolFilePath']),
    address_range: textOf(module['addressRange']),
    optimized: module['isOptimized'] === true ? true : undefined,
    user_code: typeof module['isUserCode'] === 'boolean' ? module['isUserCode'] : undefined,
  });
}
