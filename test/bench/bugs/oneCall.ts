import { fields } from '../../../src/debugger/protocol';
import { markedLine } from '../../support/markers';
import type { Bug, OneCall } from './bug';
import { tellsLine, tellsValue, type Cost } from './findings';
import { told } from './toolStepper';

/** The input by which the one-call tools reach the program: its test, or the input of start_debugging. */
export type Reach = { readonly test: object } | { readonly program: string };

/**
 * Finds the bug with the one-call tools: first the failing test, then the suspected lines or functions.
 * @throws if the last answer does not contain the wrong line and the wrong value
 */
export async function byOneCalls(bug: Bug, file: string, reach: Reach, cost: Cost): Promise<void> {
  if ('test' in reach) await told(cost, 'debug_test', reach.test);
  let answer = '';
  for (const call of bug.calls) answer = await told(cost, call.tool, inputOf(call, file, reach));
  // A trace leaves the program stopped after the call.
  if (fields(JSON.parse(answer))['program'] === 'stopped') await told(cost, 'stop_debugging', {});
  const line = markedLine(file, 'cause');
  if (!tellsLine(answer, line) || !tellsValue([answer], bug.shows))
    throw new Error(`${bug.calls.at(-1)?.tool} tells neither ${line} nor ${bug.shows}:\n${answer}`);
}

function inputOf(call: OneCall, file: string, reach: Reach): object {
  if (call.tool === 'trace_function') {
    const { name, condition } = call;
    return {
      function_name: name,
      file_path: file,
      ...(condition === undefined ? {} : { condition }),
      ...reach,
    };
  }
  const probes = call.probes.map(({ at, expressions }) => ({
    file_path: file,
    line: markedLine(file, at),
    expressions,
  }));
  return { probes, ...reach };
}
