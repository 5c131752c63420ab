import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import type { FrameHandle } from '../../debugger/inspection/handles';
import { countOf, type Fields } from '../../debugger/protocol';
import type { SessionState } from '../../debugger/state/state';
import { keptText, keptValue, wholeText } from '../../debugger/texts';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { nameOfFrame } from '../core/place';
import { defineTool, success } from '../defineTool';
import { wholeCode } from '../question';
import { resultSchema, variablesReference } from '../schemas';
import type { ToolServices } from '../services';
import { namedContainer, scopeOfVariable, type Container } from './scopeMember';

export const setVariable = defineTool({
  name: 'set_variable',
  set: 'advanced',
  effect: 'change',
  title: 'Set Variable',
  userDescription: 'Changes the value of a variable of the paused program',
  modelDescription:
    'Set a variable of the frame, a member of variables_reference, or (where the debugger can) what an expression names.',
  icon: 'edit',
  input: z.strictObject({
    name: z.string().min(1).max(2000).describe('Variable, member or expression.'),
    value: z.string().max(8000).describe("In the program's language."),
    variables_reference: variablesReference.optional(),
  }),
  output: resultSchema(['success'], {
    value: z.string().optional(),
    type: z.string().optional(),
    variables_reference: z.int().min(0).optional(),
    memory_reference: z.string().optional(),
  }),
  needs: 'frame',
  doing: () => l10n.t('Setting a variable'),
  question: ({ input, target: { session, frame }, services }) => {
    requireSetting(session);
    const { name, value, variables_reference: reference } = input;
    if (reference !== undefined) requireMembers(session);
    const container =
      reference === undefined ? undefined : namedContainer(services, session, reference);
    const message = l10n.t(
      'Set {0} to {1} in {2}; this changes the program',
      nameOfVariable(name, container),
      wholeCode(value),
      nameOfFrame(session, frame),
    );
    return { title: l10n.t('Set variable'), message };
  },
  run: async ({ input, target: { session, frame }, services, call }) => {
    requireSetting(session);
    const { name, value, variables_reference: reference } = input;
    const body = await sent(services, session, frame, { name, value, reference }, call.signal);
    return success(
      defined({
        // lldb-dap 19 responds in the same way as to `evaluate`, with `result`.
        value: keptValue(body['value'] ?? body['result']) ?? '',
        type: keptText(body['type']),
        variables_reference: services.inspector.stillHolds(frame)
          ? services.inspector.handles.variables(
              frame,
              countOf(body['variablesReference']) ?? 0,
              frame.frameId,
            )
          : 0,
        memory_reference: wholeText(body['memoryReference']),
      }),
    );
  },
});

interface Assignment {
  readonly name: string;
  readonly value: string;
  readonly reference: number | undefined;
}

async function sent(
  services: ToolServices,
  session: SessionState,
  frame: FrameHandle,
  { name, value, reference }: Assignment,
  signal: AbortSignal,
): Promise<Fields> {
  const { inspector } = services;
  const canSetMembers = session.capabilities.supportsSetVariable === true;
  if (reference !== undefined) requireMembers(session);
  const scope = async (): Promise<Container | undefined> =>
    canSetMembers ? await scopeOfVariable(services, session, frame, name, signal) : undefined;
  const container =
    reference === undefined ? await scope() : namedContainer(services, session, reference);
  if (container !== undefined)
    return await inspector.ofMember(
      session,
      frame,
      container.scopeOf,
      {
        command: 'setVariable',
        args: { variablesReference: container.reference, name, value },
      },
      signal,
    );
  if (session.capabilities.supportsSetExpression !== true) throw noVariable(session, name);
  return await inspector.ofMember(
    session,
    frame,
    undefined,
    { command: 'setExpression', args: { expression: name, value, frameId: frame.frameId } },
    signal,
  );
}

/**
 * Returns the name of a variable for the person. A member of a value is shown as a member, because a variable may have
 * the same name.
 */
function nameOfVariable(name: string, container: Container | undefined): string {
  if (container === undefined || container.scopeOf !== undefined) return wholeCode(name);
  return container.expression === undefined
    ? l10n.t('the member {0} of a value', wholeCode(name))
    : l10n.t('the member {0} of {1}', wholeCode(name), wholeCode(container.expression));
}

/** Checks that the adapter can set variables or expressions. @throws Failure `not_supported` */
function requireSetting({ capabilities, type, id }: SessionState): void {
  if (capabilities.supportsSetVariable === true || capabilities.supportsSetExpression === true)
    return;
  throw new Failure(
    'not_supported',
    l10n.t('The debug adapter “{0}” does not support {1}.', type, 'set_variable'),
    'evaluate_expression with an assignment may do it. Nothing was done.',
    { session_id: id },
  );
}

/** Checks that the adapter can set members of a container. @throws Failure `not_supported` */
function requireMembers({ capabilities, type, id }: SessionState): void {
  if (capabilities.supportsSetVariable === true) return;
  throw new Failure(
    'not_supported',
    l10n.t('The debug adapter “{0}” cannot set members of a container.', type),
    'Leave out variables_reference and pass an expression as name. Nothing was done.',
    { session_id: id },
  );
}

function noVariable(session: SessionState, name: string): Failure {
  return new Failure(
    'variable_not_found',
    l10n.t('No scope of this frame has a variable “{0}”.', name),
    `The debug adapter “${session.type}” cannot set expressions. Pass the variables_reference of its container, or use evaluate_expression.`,
    { session_id: session.id },
  );
}
