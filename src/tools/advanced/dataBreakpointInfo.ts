import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { adapterOf } from '../../debugger/adapters/registry';
import type { FrameHandle } from '../../debugger/inspection/handles';
import { listOf, textOf, type Fields } from '../../debugger/protocol';
import type { SessionState } from '../../debugger/state/state';
import { keptText } from '../../debugger/texts';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { resultSchema, variablesReference } from '../schemas';
import type { Call, ToolServices } from '../services';
import { namedContainer, scopeOfVariable } from './scopeMember';

export const dataBreakpointInfo = defineTool({
  name: 'data_breakpoint_info',
  set: 'advanced',
  effect: 'read',
  title: 'Show Data Breakpoint Info',
  userDescription: 'Checks whether the program can stop when a value is read or written',
  modelDescription:
    'Get the data_id of a variable of the frame, or of a member of variables_reference, for set_data_breakpoint.',
  icon: 'debug-breakpoint-data',
  input: z.strictObject({
    name: z.string().min(1).max(2000).describe('Variable, member or expression.'),
    variables_reference: variablesReference.optional(),
  }),
  output: resultSchema(['success'], {
    data_id: z.string().optional(),
    description: z.string().optional(),
    access_types: z.array(z.string()).readonly().optional(),
  }),
  needs: 'frame',
  capability: 'supportsDataBreakpoints',
  doing: () => l10n.t('Checking a data breakpoint'),
  run: async ({ input, target: { session, frame }, services, call }) => {
    const body = await infoOf(services, session, frame, input, call);
    const dataId = textOf(body['dataId']);
    const description = keptText(body['description']) ?? '';
    if (dataId === undefined) throw notWatchable(session, input.name, description);
    return success(
      defined({
        data_id: dataId,
        description: description === '' ? input.name : description,
        access_types: Array.isArray(body['accessTypes'])
          ? listOf(body['accessTypes']).flatMap((type) => textOf(type) ?? [])
          : undefined,
      }),
    );
  },
});

/** A variable or a member of one. Other expressions are for the adapter, which may take their value for an address. */
const VARIABLE = /^(?:::)?[A-Za-z_](?:\w|::|\.|->|\[\w+\])*$/;

async function infoOf(
  services: ToolServices,
  session: SessionState,
  frame: FrameHandle,
  {
    name,
    variables_reference: reference,
  }: { readonly name: string; readonly variables_reference?: number | undefined },
  { signal }: Call,
): Promise<Fields> {
  const container =
    reference === undefined
      ? await scopeOfVariable(services, session, frame, name, signal)
      : namedContainer(services, session, reference);
  const { addressOf } = adapterOf(session.type);
  const isOutside = container === undefined && addressOf !== undefined && VARIABLE.test(name);
  const args = defined({
    name: isOutside ? addressOf(name) : name,
    frameId: frame.frameId,
    variablesReference: container?.reference,
  });
  const request = { command: 'dataBreakpointInfo', args };
  return await services.inspector.ofMember(session, frame, container?.scopeOf, request, signal);
}

function notWatchable(session: SessionState, name: string, reason: string): Failure {
  return new Failure(
    'not_supported',
    l10n.t('The debug adapter “{0}” cannot watch “{1}”: {2}', session.type, name, reason || '–'),
    'Watch another variable, or set a breakpoint with a condition where it changes.',
    { session_id: session.id },
  );
}
