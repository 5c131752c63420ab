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

/** The state after an adapter has answered a source's list of breakpoints. */
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

/** The state after an adapter has answered the list of function breakpoints. */
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

/** An adapter that refuses the whole list holds none of it. */
function refusedAll(request: PendingRequest, message: string | undefined): Fields {
  return {
    breakpoints: listOf(request.arguments['breakpoints']).map(() => ({ verified: false, message })),
  };
}

/**
 * The adapter answers in the order of the request (DAP "setBreakpoints"). What it answers to an earlier list than the
 * last that it has answered is newer word on single breakpoints, and none on which there are.
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
    const later = new Map(answered.map((each) => [each.id, each]));
    return {
      ...before,
      answers,
      breakpoints: before.breakpoints.map((breakpoint) =>
        breakpoint.id === undefined ? breakpoint : { ...breakpoint, ...later.get(breakpoint.id) },
      ),
    };
  }
  const asked = listOf(request.arguments['breakpoints']).map((breakpoint) =>
    requested(fields(breakpoint)),
  );
  const known = before?.breakpoints ?? [];
  // A list that it has already js-debug answers with none.
  const isHeld =
    answered.length === 0 &&
    asked.length === known.length &&
    asked.every((each, index) => isSame(each, known[index]));
  return {
    answers,
    requestSeq: response.requestSeq,
    breakpoints: isHeld
      ? known
      : asked.map((each, index) => ({ ...each, ...(answered[index] ?? bound({})) })),
  };
}

function requested(sent: Fields): RequestedBreakpoint {
  const injected = injectedIn(sent);
  const asked = injected?.other ?? sent;
  return {
    ...(injected === undefined
      ? {}
      : { injected: { id: injected.id, isMerged: injected.other !== undefined } }),
    requestedLine: countOf(asked['line']),
    requestedColumn: countOf(asked['column']),
    requestedName: textOf(asked['name']),
    requestedCondition: textOf(asked['condition']),
    requestedHitCondition: textOf(asked['hitCondition']),
    requestedLogMessage: textOf(asked['logMessage']),
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

/** DAP event `breakpoint`: what changed about a breakpoint that the adapter has answered before. */
export function onBreakpoint(session: SessionState, body: Fields): SessionState {
  const reported = fields(body['breakpoint']);
  const id = numberOf(reported['id']);
  if (id === undefined) return session;
  const holds = (answers: BreakpointAnswer): boolean =>
    answers.breakpoints.some((breakpoint) => breakpoint.id === id);
  if (
    ![
      ...session.sourceBreakpoints.values(),
      ...(session.functionBreakpoints === undefined ? [] : [session.functionBreakpoints]),
    ].some(holds)
  )
    return session;
  const update = (answers: BreakpointAnswer): BreakpointAnswer => {
    if (!holds(answers)) return answers;
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
