import {
  countOf,
  fields,
  flagOf,
  listOf,
  numberOf,
  textOf,
  type Fields,
  type ResponseMessage,
} from '../protocol';
import { injectedIn } from '../breakpoints/injectedMark';
import { personPath } from '../sourcePath';
import { keptText } from '../texts';
import type {
  AdapterBreakpoint,
  BreakpointAnswer,
  PendingRequest,
  RequestedBreakpoint,
  SessionState,
} from './state';

/** The session's state after the adapter's response to the list of breakpoints of one source. */
export function withSourceBreakpoints(
  session: SessionState,
  request: PendingRequest,
  response: ResponseMessage,
): SessionState {
  const source = fields(request.arguments['source']);
  const named = textOf(source['path']) ?? textOf(source['name']);
  if (named === undefined) return session;
  const path = personPath(named);
  const answers = answer(
    session.sourceBreakpoints.get(path),
    request,
    response,
    response.success ? response.body : refusedAll(request, response.message),
  );
  return { ...session, sourceBreakpoints: new Map(session.sourceBreakpoints).set(path, answers) };
}

/** The session's state after the adapter's response to the list of function breakpoints. */
export function withFunctionBreakpoints(
  session: SessionState,
  request: PendingRequest,
  response: ResponseMessage,
): SessionState {
  return response.success
    ? {
        ...session,
        functionBreakpoints: answer(session.functionBreakpoints, request, response, response.body),
      }
    : session;
}

/** The response for a refused list: the adapter has set none of its breakpoints. */
function refusedAll(request: PendingRequest, message: string | undefined): Fields {
  return {
    breakpoints: listOf(request.arguments['breakpoints']).map(() => ({ verified: false, message })),
  };
}

/**
 * Reads a response. The adapter answers in the order of the request (DAP "setBreakpoints"). A late response to an
 * earlier list updates single breakpoints by their ids. It does not decide which breakpoints exist.
 */
function answer(
  before: BreakpointAnswer | undefined,
  request: PendingRequest,
  response: ResponseMessage,
  body: Fields,
): BreakpointAnswer {
  const answered = listOf(body['breakpoints']).map((breakpoint) => bound(fields(breakpoint)));
  const answers = (before?.answers ?? 0) + 1;
  if (before !== undefined && response.requestSeq < before.requestSeq) {
    const later = new Map(answered.map((breakpoint) => [breakpoint.id, breakpoint]));
    return {
      ...before,
      answers,
      breakpoints: before.breakpoints.map((breakpoint) =>
        breakpoint.id === undefined ? breakpoint : { ...breakpoint, ...later.get(breakpoint.id) },
      ),
    };
  }
  const requested = listOf(request.arguments['breakpoints']).map((breakpoint) =>
    requestedIn(fields(breakpoint)),
  );
  const existing = before?.breakpoints ?? [];
  // If js-debug already has the list, it answers with an empty one.
  const isUnchanged =
    answered.length === 0 &&
    requested.length === existing.length &&
    requested.every((breakpoint, index) => isSame(breakpoint, existing[index]));
  return {
    answers,
    requestSeq: response.requestSeq,
    breakpoints: isUnchanged
      ? existing
      : requested.map((breakpoint, index) => ({
          ...breakpoint,
          ...(answered[index] ?? bound({})),
        })),
  };
}

function requestedIn(sent: Fields): RequestedBreakpoint {
  const injected = injectedIn(sent);
  const requested = injected?.other ?? sent;
  return {
    ...(injected === undefined
      ? {}
      : { injected: { id: injected.id, isMerged: injected.other !== undefined } }),
    requestedLine: countOf(requested['line']),
    requestedColumn: countOf(requested['column']),
    requestedName: textOf(requested['name']),
    requestedCondition: textOf(requested['condition']),
    requestedHitCondition: textOf(requested['hitCondition']),
    requestedLogMessage: textOf(requested['logMessage']),
  };
}

function isSame(one: RequestedBreakpoint, other: AdapterBreakpoint | undefined): boolean {
  return (
    one.requestedLine === other?.requestedLine &&
    one.requestedColumn === other?.requestedColumn &&
    one.requestedName === other?.requestedName &&
    one.requestedCondition === other?.requestedCondition &&
    one.requestedHitCondition === other?.requestedHitCondition &&
    one.requestedLogMessage === other?.requestedLogMessage &&
    one.injected?.id === other?.injected?.id
  );
}

function bound(
  body: Fields,
): Pick<AdapterBreakpoint, 'id' | 'verified' | 'line' | 'column' | 'message'> {
  return {
    id: numberOf(body['id']),
    verified: body['verified'] === true,
    line: countOf(body['line']),
    column: countOf(body['column']),
    message: keptText(body['message']),
  };
}

/** Handles the DAP event `breakpoint`: a change of a breakpoint that the adapter has reported before. */
export function onBreakpoint(session: SessionState, body: Fields): SessionState {
  const reported = fields(body['breakpoint']);
  const id = numberOf(reported['id']);
  if (id === undefined) return session;
  const includes = (answers: BreakpointAnswer): boolean =>
    answers.breakpoints.some((breakpoint) => breakpoint.id === id);
  if (
    ![
      ...session.sourceBreakpoints.values(),
      ...(session.functionBreakpoints === undefined ? [] : [session.functionBreakpoints]),
    ].some(includes)
  )
    return session;
  const update = (answers: BreakpointAnswer): BreakpointAnswer => {
    if (!includes(answers)) return answers;
    return {
      ...answers,
      breakpoints: answers.breakpoints.map((breakpoint) =>
        breakpoint.id === id
          ? { ...breakpoint, ...updated(breakpoint, reported, body) }
          : breakpoint,
      ),
    };
  };
  const sourceBreakpoints = new Map(
    [...session.sourceBreakpoints].map(([path, answers]) => [path, update(answers)] as const),
  );
  const functionBreakpoints =
    session.functionBreakpoints === undefined ? undefined : update(session.functionBreakpoints);
  return { ...session, sourceBreakpoints, functionBreakpoints };
}

function updated(
  before: AdapterBreakpoint,
  reported: Fields,
  body: Fields,
): Partial<AdapterBreakpoint> {
  if (body['reason'] === 'removed') return { verified: false };
  return {
    verified: flagOf(reported['verified']) ?? before.verified,
    line: countOf(reported['line']) ?? before.line,
    column: countOf(reported['column']) ?? before.column,
    message: keptText(reported['message']),
  };
}
