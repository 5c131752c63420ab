import { countOf, fields, flagOf, listOf, numberOf, textOf, type Fields, type ResponseMessage } from './protocol';
import { personPath } from './sourcePath';
import { keptText } from './texts';
import type { AdapterBreakpoint, BreakpointAnswer, PendingRequest, SessionState } from './state';

/** The state after an adapter has answered a source's list of breakpoints. */
export function withSourceBreakpoints(session: SessionState, request: PendingRequest, response: ResponseMessage): SessionState {
  const source = fields(request.arguments['source']);
  const named = textOf(source['path']) ?? textOf(source['name']);
  if (named === undefined) return session;
  const path = personPath(named);
  const answers = answer(session.sourceBreakpoints.get(path), request, response.success ? response.body : refusedAll(request, response.message));
  return { ...session, sourceBreakpoints: new Map(session.sourceBreakpoints).set(path, answers) };
}

/** The state after an adapter has answered the list of function breakpoints. */
export function withFunctionBreakpoints(session: SessionState, request: PendingRequest, response: ResponseMessage): SessionState {
  return response.success ? { ...session, functionBreakpoints: answer(session.functionBreakpoints, request, response.body) } : session;
}

/** An adapter that refuses the whole list holds none of it. */
function refusedAll(request: PendingRequest, message: string | undefined): Fields {
  return { breakpoints: listOf(request.arguments['breakpoints']).map(() => ({ verified: false, message })) };
}

/** The adapter answers in the order of the request (DAP "setBreakpoints"). */
function answer(before: BreakpointAnswer | undefined, request: PendingRequest, body: Fields): BreakpointAnswer {
  const answered = listOf(body['breakpoints']);
  const breakpoints = listOf(request.arguments['breakpoints']).map((each, index): AdapterBreakpoint => {
    const asked = fields(each);
    return {
      requestedLine: countOf(asked['line']),
      requestedColumn: countOf(asked['column']),
      requestedName: textOf(asked['name']),
      requestedCondition: textOf(asked['condition']),
      requestedHitCondition: textOf(asked['hitCondition']),
      requestedLogMessage: textOf(asked['logMessage']),
      ...bound(fields(answered[index])),
    };
  });
  return { answers: (before?.answers ?? 0) + 1, breakpoints };
}

function bound(body: Fields): Pick<AdapterBreakpoint, 'id' | 'verified' | 'line' | 'column' | 'message'> {
  return { id: numberOf(body['id']), verified: body['verified'] === true, line: countOf(body['line']), column: countOf(body['column']), message: keptText(body['message']) };
}

/** DAP event `breakpoint`: what changed about a breakpoint that the adapter has answered before. */
export function onBreakpoint(session: SessionState, body: Fields): SessionState {
  const told = fields(body['breakpoint']);
  const id = numberOf(told['id']);
  if (id === undefined) return session;
  const holds = (answers: BreakpointAnswer): boolean => answers.breakpoints.some((each) => each.id === id);
  if (![...session.sourceBreakpoints.values(), ...(session.functionBreakpoints === undefined ? [] : [session.functionBreakpoints])].some(holds)) return session;
  const update = (answers: BreakpointAnswer): BreakpointAnswer => {
    if (!holds(answers)) return answers;
    return { ...answers, breakpoints: answers.breakpoints.map((each) => (each.id === id ? { ...each, ...updated(each, told, body) } : each)) };
  };
  const sourceBreakpoints = new Map([...session.sourceBreakpoints].map(([path, answers]) => [path, update(answers)] as const));
  const functionBreakpoints = session.functionBreakpoints === undefined ? undefined : update(session.functionBreakpoints);
  return { ...session, sourceBreakpoints, functionBreakpoints };
}

function updated(before: AdapterBreakpoint, told: Fields, body: Fields): Partial<AdapterBreakpoint> {
  if (body['reason'] === 'removed') return { verified: false };
  return {
    verified: flagOf(told['verified']) ?? before.verified,
    line: countOf(told['line']) ?? before.line,
    column: countOf(told['column']) ?? before.column,
    message: keptText(told['message']),
  };
}
