import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { isFields, listOf, textOf, type Fields } from '../../debugger/protocol';
import { personPath } from '../../debugger/sourcePath';
import { keptText } from '../../debugger/texts';
import { defined } from '../../util/defined';
import { readPattern } from '../agentPattern';
import { defineTool, success } from '../defineTool';
import type { loadedSource } from '../../results/resultSchemas';
import { resultFields } from '../../results/resultSchemas';
import { maxChars, resultSchema } from '../schemas';
import { count, leftOut, start } from './paging';

export const getLoadedSources = defineTool({
  name: 'get_loaded_sources',
  set: 'advanced',
  effect: 'read',
  title: 'List Loaded Sources',
  userDescription: 'Lists the source files that the program has loaded',
  modelDescription: 'List the source files that the program has loaded.',
  icon: 'files',
  input: z.strictObject({
    name_pattern: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('Regular expression (RE2) for paths.'),
    start,
    count,
    max_chars: maxChars,
  }),
  output: resultSchema(['success'], {
    sources: resultFields.sources.optional(),
    total: z.int().optional(),
  }),
  needs: 'session',
  capability: 'supportsLoadedSourcesRequest',
  doing: () => l10n.t('Listing the loaded sources'),
  run: async ({ input, target: { session }, services, call }) => {
    const pattern =
      input.name_pattern === undefined ? undefined : await readPattern(input.name_pattern);
    const body = await services.inspector.send(session, 'loadedSources', {}, call.signal);
    const all = listOf(body['sources'])
      .filter(isFields)
      .map(sourceView)
      .filter(({ path, name }) => pattern?.test(path ?? name) !== false);
    const sources = all.slice(input.start, input.start + input.count);
    return success({
      sources,
      total: all.length,
      ...leftOut('sources', { entries: sources, total: all.length }, input),
    });
  },
});

function sourceView(source: Fields): z.input<typeof loadedSource> {
  const path = textOf(source['path']);
  return defined({
    name: keptText(source['name']) ?? '',
    path: path === undefined ? undefined : keptText(personPath(path)),
    origin: keptText(source['origin'] || undefined),
  });
}
