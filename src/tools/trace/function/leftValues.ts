import { objectsToRead } from '../../../debugger/inspection/objectFields';
import { readFieldsAnswer } from '../../../debugger/inspection/pythonFields';
import { variablesOf, type Variable } from '../../../debugger/inspection/stackAndVariables';
import type { ToolServices } from '../../services';
import type { Values } from './callModel';
import { valuesIn, type ThreadStack } from './threadStack';

/**
 * Reads the last variables of a call that a thread has left.
 * @param now the stop after the call
 * @param reference the object with the variables, see `HowLeft`
 * @returns undefined if they are not known
 */
export async function leftValues(
  { inspector }: Pick<ToolServices, 'inspector'>,
  { session, threadId }: ThreadStack,
  reference: number,
  signal: AbortSignal,
): Promise<Values | undefined> {
  const place = inspector.placeOf(session, threadId);
  const members = async (of: number): Promise<readonly Variable[]> =>
    of === 0
      ? []
      : variablesOf(await inspector.variables(session, place, of, {}, signal).catch(() => []));
  const left = await members(reference);
  const locals = left.find(({ name }) => name === 'locals');
  if (locals === undefined) return undefined;
  const all = await members(locals.reference);
  // debugpy keeps the values that calls have returned in a variable of the frame.
  const variables = all.filter(({ name }) => !name.startsWith('__pydevd'));
  const fields = readFieldsAnswer(left.find(({ name }) => name === 'fields')?.value);
  const objects = new Set(objectsToRead(variables));
  return valuesIn(session, {
    variables: variables.map((variable) => {
      const read = objects.has(variable) ? fields.get(variable.name) : undefined;
      return {
        variable,
        hiddenIn: undefined,
        object: read && { fields: read.fields, omitted: read.total - read.fields.length },
      };
    }),
  });
}
