import { eventOf } from './events';
import { FILE, type Bench } from './services';

/** One valid input for each tool of the set `advanced`. */
export const ADVANCED_INPUTS: Readonly<Record<string, object>> = {
  set_variable: { name: 'count', value: '4' },
  goto_line: { file_path: FILE, line_number: 5 },
  restart_frame: {},
  step_back: { thread_id: 1 },
  reverse_continue: { thread_id: 1 },
  data_breakpoint_info: { name: 'count' },
  set_data_breakpoint: { data_id: '0x1000/4', condition: 'count > 3' },
  remove_data_breakpoint: { data_id: '0x1000/4' },
  set_instruction_breakpoint: { instruction_reference: '0x1000' },
  remove_instruction_breakpoint: { instruction_reference: '0x1000' },
  disassemble: {},
  read_memory: { memory_reference: '0x1000', count: 4 },
  write_memory: { memory_reference: '0x1000', data: '00ff' },
  custom_request: { command: 'evolve', arguments: { by: 2 } },
};

/** Makes a session's adapter report every capability that a tool needs. */
export function capable(on: Bench, more: object = {}, key = 'a'): Bench {
  const capabilities = {
    supportsSetVariable: true,
    supportsSetExpression: true,
    supportsGotoTargetsRequest: true,
    supportsRestartFrame: true,
    supportsStepBack: true,
    supportsDataBreakpoints: true,
    supportsInstructionBreakpoints: true,
    supportsDisassembleRequest: true,
    supportsReadMemoryRequest: true,
    supportsWriteMemoryRequest: true,
    supportsModulesRequest: true,
    supportsLoadedSourcesRequest: true,
    ...more,
  };
  on.model.dispatch(eventOf('capabilities', { capabilities }, key));
  return on;
}

/** Sets a data breakpoint and an instruction breakpoint for an agent. */
export async function withAddressBreakpoints(on: Bench): Promise<Bench> {
  const answer = (args: object): object => ({
    breakpoints: Object.values(args)
      .flat()
      .map((_, index) => ({ id: 70 + index, verified: true })),
  });
  on.host.on('setDataBreakpoints', answer).on('setInstructionBreakpoints', answer);
  const { addressBreakpoints } = on.services;
  const ask = (session: { key: string }, command: string, args: object): Promise<unknown> =>
    on.host.request(session.key, command, args);
  await addressBreakpoints.set(on.session(), { kind: 'data', reference: '0x1000/4' }, ask);
  await addressBreakpoints.set(on.session(), { kind: 'instruction', reference: '0x1000' }, ask);
  on.host.requests.length = 0;
  return on;
}
