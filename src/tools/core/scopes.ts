import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { resultSchema } from '../schemas';

const scopeView = z.object({
  name: z.string(),
  variables_reference: z.int().min(0),
  expensive: z.boolean(),
  named_variables: z.int().optional(),
  indexed_variables: z.int().optional(),
});

export const getScopes = defineTool({
  name: 'get_scopes',
  set: 'core',
  effect: 'read',
  title: 'Show Scopes',
  userDescription: 'Lists the variable scopes of a stack frame',
  modelDescription:
    "List the variable scopes of a stack frame (locals, closures, globals). Pass a scope's variables_reference to get_variables.",
  icon: 'symbol-namespace',
  input: z.strictObject({}),
  output: resultSchema(['success'], { scopes: z.array(scopeView).optional() }),
  needs: 'frame',
  doing: () => l10n.t('Reading the scopes'),
  run: async ({ target, services, call }) => {
    const { session, frame: handle } = target;
    const { scopes, unreadable } = await services.inspector.scopes(
      session,
      handle,
      handle.frameId,
      call.signal,
    );
    return success({
      scopes: scopes.map((scope) =>
        defined({
          name: scope.name,
          variables_reference: services.inspector.handles.variables(
            handle,
            scope.reference,
            handle.frameId,
            scope,
            handle.frameId,
          ),
          expensive: scope.expensive,
          named_variables: scope.namedVariables,
          indexed_variables: scope.indexedVariables,
        }),
      ),
      ...defined({ omitted: unreadable > 0 ? { unreadable } : undefined }),
    });
  },
});
