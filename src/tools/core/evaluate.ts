import { numberOf } from '../../debugger/protocol';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { defineTool, success } from '../defineTool';
import { nameOfFrame } from './place';
import { wholeCode } from '../question';
import type { ToolServices } from '../services';
import { maxChars, resultFields, resultSchema } from '../schemas';
import { tailOf } from '../reports/endReport';
import { adapterOf } from '../../debugger/adapters/registry';
import type { FrameHandle } from '../../debugger/inspection/handles';
import { asFailure } from '../../results/debuggerFailures';
import { Failure } from '../../results/failure';
import type { SessionState } from '../../debugger/state/state';
import { defined } from '../../util/defined';

export const evaluateExpression = defineTool({
  name: 'evaluate_expression',
  set: 'core',
  effect: 'change',
  title: 'Evaluate Expression',
  userDescription: 'Evaluates an expression in the paused program',
  modelDescription:
    'Evaluate an expression in a stack frame of the stopped program, in its language. It can call functions and so change the program.',
  icon: 'symbol-operator',
  input: z.strictObject({
    expression: z.string().min(1).max(50_000),
    context: z
      .enum(['watch', 'repl', 'hover', 'clipboard'])
      .default('watch')
      .describe('How the adapter evaluates; "hover" is free of side effects in lldb-dap only.'),
    max_chars: maxChars,
  }),
  output: resultSchema(['success'], {
    result: z.string().optional(),
    type: z.string().optional(),
    variables_reference: z.int().min(0).optional(),
    named_variables: z.int().optional(),
    indexed_variables: z.int().optional(),
    memory_reference: z.string().optional(),
    output: resultFields.output.optional(),
  }),
  needs: 'frame',
  doing: () => l10n.t('Evaluating an expression'),
  consent: ({ input, ids, services }) =>
    input.context === 'hover' && isFreeOfSideEffects(services, numberOf(ids['frame_id']))
      ? 'look'
      : 'change',
  question: ({ input, ids, target: { session, frame: handle }, services }) => {
    const expression = wholeCode(input.expression);
    const where = nameOfFrame(session, handle);
    const isReadOnly =
      input.context === 'hover' && isFreeOfSideEffects(services, numberOf(ids['frame_id']));
    const message = isReadOnly
      ? l10n.t(
          'Evaluate {0} in {1}; the debugger guarantees that this changes nothing',
          expression,
          where,
        )
      : l10n.t('Evaluate {0} in {1}; this can change the program', expression, where);
    return { title: l10n.t('Evaluate'), message };
  },
  run: async ({ input, target, services, call }) => {
    const { session, frame: handle } = target;
    // The result includes the output of the expression, as far as the adapter has reported it at that time.
    const printed = (): ReturnType<typeof tailOf> => tailOf(services.stops.printed(session));
    const expression = await expressionAt(services, session, handle, input.expression);
    const value = await services.inspector
      .evaluate(session, handle, handle.frameId, expression, input.context, call.signal)
      .catch((error: unknown) => aboutExpression(error, printed()));
    const output = printed();
    return success(
      defined({
        result: value.value,
        type: value.type,
        variables_reference: services.inspector.handles.variables(
          handle,
          value.reference,
          handle.frameId,
          { ...value, evaluateName: input.expression },
        ),
        named_variables: value.namedVariables || undefined,
        indexed_variables: value.indexedVariables || undefined,
        memory_reference: value.memoryReference,
        ...output,
        omitted: isShortened(session, value.value)
          ? {
              ...output.omitted,
              cut_by_debugger: 1,
              fetch_cut_by_debugger: 'context=clipboard',
            }
          : undefined,
      }),
    );
  },
});

/** Returns an expression as its debugger has to evaluate it in a frame, see `Adapter.expression`. */
async function expressionAt(
  { workspace }: ToolServices,
  { type }: SessionState,
  { named }: FrameHandle,
  expression: string,
): Promise<string> {
  const { expression: written } = adapterOf(type);
  if (written === undefined || named?.path === undefined || !written.needsSource(expression))
    return expression;
  const source = await workspace.readSource(named.path);
  return source === undefined ? expression : written.at(expression, source.lines, named.line);
}

/** Whether the adapter has cut out the middle of a value. Some adapters do this in all contexts except `clipboard`. */
function isShortened(session: SessionState, value: string): boolean {
  const length = adapterOf(session.type).shortensValuesAt;
  if (length === undefined || Math.abs(value.length - length) > 10) return false;
  const middle = value.indexOf('…', length / 2 - 20);
  return middle !== -1 && middle <= length / 2 + 20;
}

/**
 * Adds a hint to the error of an adapter. In most cases, the error means that the expression does not parse, or that it
 * throws.
 */
function aboutExpression(error: unknown, printed: ReturnType<typeof tailOf>): never {
  const failure = asFailure(error);
  if (failure?.code !== 'adapter_error') throw error;
  throw new Failure(
    failure.code,
    failure.message,
    'Change the expression, or evaluate it in another frame (frame_id). Statements and assignments may need context="repl".',
    printed,
  );
}

/**
 * Whether a hover evaluation has no side effects. Many adapters report `supportsEvaluateForHovers` but evaluate any
 * expression, so only tested adapters count.
 */
function isFreeOfSideEffects({ inspector }: ToolServices, frame: number | undefined): boolean {
  // Without frame_id, it is not yet known which session's stop is current when the call runs.
  if (frame === undefined) return false;
  try {
    const { type, capabilities } = inspector.handles.resolveFrame(frame).session;
    return (
      adapterOf(type).hoversWithoutSideEffects === true &&
      capabilities.supportsEvaluateForHovers === true
    );
  } catch (error) {
    if (asFailure(error) !== undefined) return false; // the call itself reports the error
    throw error;
  }
}
