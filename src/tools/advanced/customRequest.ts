import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { opensAccess } from '../../debugger/adapters/registry';
import { numberOf, type Fields } from '../../debugger/protocol';
import type { SessionState } from '../../debugger/state/state';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { plain, wholeCode } from '../question';
import { maxChars, resultSchema } from '../schemas';
import type { ToolServices } from '../services';
import { checkOwner } from '../target';
import { bounded } from './boundedBody';
import { namedContainer } from './scopeMember';

/**
 * The requests that have a tool. If they were sent without the tool, the state in the extension and in VS Code would be
 * wrong.
 */
const HAVE_TOOLS: Readonly<Record<string, string>> = {
  initialize: 'start_debugging',
  launch: 'start_debugging',
  attach: 'start_debugging',
  configurationDone: 'start_debugging',
  runInTerminal: 'start_debugging',
  startDebugging: 'start_debugging',
  disconnect: 'stop_debugging',
  terminate: 'stop_debugging',
  restart: 'restart_debugging',
  continue: 'continue_debugging',
  next: 'step_execution',
  stepIn: 'step_execution',
  stepOut: 'step_execution',
  stepBack: 'step_back',
  reverseContinue: 'reverse_continue',
  goto: 'goto_line',
  restartFrame: 'restart_frame',
  pause: 'pause_debugging',
  setBreakpoints: 'set_breakpoint',
  setFunctionBreakpoints: 'set_breakpoint',
  setExceptionBreakpoints: 'set_exception_breakpoints',
  setDataBreakpoints: 'set_data_breakpoint',
  setInstructionBreakpoints: 'set_instruction_breakpoint',
  // These requests require ids of the adapter, which callers do not have.
  stackTrace: 'get_call_stack',
  scopes: 'get_scopes',
  variables: 'get_variables',
  evaluate: 'evaluate_expression',
  setVariable: 'set_variable',
  setExpression: 'set_variable',
  dataBreakpointInfo: 'data_breakpoint_info',
  gotoTargets: 'goto_line',
  // The tools of these requests redact credentials in the bytes, and show the person the bytes to write.
  readMemory: 'read_memory',
  writeMemory: 'write_memory',
  disassemble: 'disassemble',
  modules: 'get_modules',
  loadedSources: 'get_loaded_sources',
  threads: 'get_debug_state',
  exceptionInfo: 'wait_for_stop',
  // This request might cancel VS Code's own requests.
  cancel: 'wait_for_stop',
};

/** The requests of the Debug Adapter Protocol that have no tool. All other requests are an adapter's own. */
const OF_THE_PROTOCOL: ReadonlySet<string> = new Set([
  'breakpointLocations',
  'completions',
  'locations',
  'source',
  'stepInTargets',
  'terminateThreads',
]);

export const customRequest = defineTool({
  name: 'custom_request',
  set: 'advanced',
  effect: 'change',
  title: 'Send Custom Request',
  userDescription: 'Sends a request of the Debug Adapter Protocol',
  modelDescription:
    'Send a Debug Adapter Protocol request, also one of the adapter’s own. Requests that have a tool are refused.',
  icon: 'symbol-event',
  input: z.strictObject({
    command: z.string().min(1).max(200),
    arguments: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('frameId and variablesReference: as other tools return them.'),
    max_chars: maxChars,
  }),
  output: resultSchema(['success'], { body: z.unknown().optional() }),
  needs: 'session',
  doing: () => l10n.t('Sending a request to the debug adapter'),
  question: ({ input, target: { session }, services }) => {
    checkCommand(input.command);
    const args = translated(services, session, input.arguments);
    const message = l10n.t(
      'Send the request {0} to the debug adapter of {1}: {2}; this can change the program',
      wholeCode(input.command),
      `**${plain(session.name)}**`,
      wholeCode(JSON.stringify(args)),
    );
    const lines = OF_THE_PROTOCOL.has(input.command) ? [message] : [message, ownRequestLine()];
    return { title: l10n.t('Send custom request'), message: lines.join('\n\n') };
  },
  run: async ({ input, target: { session }, services, call }) => {
    checkCommand(input.command);
    const args = translated(services, session, input.arguments);
    const body = await services.inspector.send(session, input.command, args, call.signal);
    const { value, omitted } = bounded(body, input.max_chars ?? call.maxChars);
    return success({
      body: value,
      ...defined({ omitted: omitted > 0 ? { values: omitted } : undefined }),
    });
  },
});

/** Returns the line about a request whose effect only its adapter knows. */
function ownRequestLine(): string {
  return l10n.t(
    'This is a request of the debugger’s own. With it you may grant **everything**: it may run any code in the program, and open further access without another question.',
  );
}

/**
 * Refuses requests that have a tool, and requests that open access about which nobody is asked.
 * @throws Failure `not_supported`
 */
function checkCommand(command: string): void {
  if (opensAccess(command))
    throw new Failure(
      'not_supported',
      l10n.t(
        'The request “{0}” opens access to the program about which the person is not asked.',
        command,
      ),
      'Call evaluate_expression or another tool for what you want to know. Nothing was sent.',
    );
  const tool = Object.hasOwn(HAVE_TOOLS, command) ? HAVE_TOOLS[command] : undefined;
  if (tool === undefined) return;
  throw new Failure(
    'not_supported',
    l10n.t('The request “{0}” has a tool of its own.', command),
    `Call ${tool}. Nothing was sent.`,
    { tool },
  );
}

/**
 * Returns the arguments with the adapter's own ids of frames and containers.
 * @throws DebuggerError `staleReference`, `unknownReference`; Failure `wrong_session`
 */
function translated(services: ToolServices, session: SessionState, args: Fields): Fields {
  const frame = numberOf(args['frameId']);
  const container = numberOf(args['variablesReference']);
  return {
    ...args,
    ...defined({
      frameId: frame === undefined ? undefined : namedFrame(services, session, frame),
      variablesReference:
        container === undefined
          ? undefined
          : namedContainer(services, session, container).reference,
    }),
  };
}

function namedFrame({ inspector }: ToolServices, session: SessionState, id: number): number {
  const { handle, session: owner } = inspector.handles.resolveFrame(id);
  checkOwner(owner, session, 'frameId');
  return handle.frameId;
}
