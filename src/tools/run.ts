import * as l10n from '@vscode/l10n';
import { asFailure } from '../results/debuggerFailures';
import { Failure } from '../results/failure';
import { Superseded } from '../debugger/inspection/inspector';
import { countOf, fields, textOf } from '../debugger/protocol';
import { Interrupted } from '../debugger/requests';
import { checkEvidence, withEvidence } from './investigation/evidence';
import { fitResult } from '../results/fit';
import { wellFormed } from '../results/wellFormed';
import type { CheckedCall, Consent, Tool, ToolResult } from './defineTool';
import type { Prepared } from './preparedCalls';
import { LEAST_BUDGET, MOST_BUDGET } from './schemas';
import type { Call, ToolServices } from './services';

/**
 * Runs every call, whoever made it: checks the input, finds the target, runs the tool, turns whatever goes wrong into
 * an answer, takes credentials out of it, and fits it to its budget. Never throws.
 */
export async function runTool(
  tool: Tool,
  input: unknown,
  services: ToolServices,
  call: Call,
): Promise<ToolResult> {
  const { result, checked } = await answer(tool, input, services, call);
  try {
    const shown = await withoutCredentials(tool, result, input, services);
    const kept = checked === undefined ? shown : await withEvidence(tool, checked, shown, services);
    return fitResult(kept, budgetOf(input, call));
  } catch (error) {
    // Data that is nested without end, for example.
    return fitResult(errorResult(error), budgetOf(input, call));
  }
}

/** What cannot be checked for credentials is not shown; what was done is done, and where nothing was, the answer says so. */
async function withoutCredentials(
  tool: Tool,
  result: ToolResult,
  input: unknown,
  services: ToolServices,
): Promise<ToolResult> {
  if (result['code'] === 'redaction_failed') return result;
  const expression = textOf(fields(input)['expression']);
  return await services.redactor
    .redact(wellFormed(result), expression, tool.output)
    .catch((error: unknown) =>
      errorResult(
        error instanceof Failure
          ? error
          : new Error(
              l10n.t(
                'the answer could not be checked for credentials and is withheld ({0})',
                error instanceof Error ? error.message : String(error),
              ),
            ),
      ),
    );
}

/** What the call itself asks for, else what its caller may have. */
function budgetOf(input: unknown, call: Call): number {
  const asked = countOf(fields(input)['max_chars']);
  return asked !== undefined && asked >= LEAST_BUDGET && asked <= MOST_BUDGET
    ? asked
    : call.maxChars;
}

interface Answered {
  readonly result: ToolResult;
  /** The call; undefined where it was refused. */
  readonly checked?: CheckedCall;
}

async function answer(
  tool: Tool,
  input: unknown,
  services: ToolServices,
  call: Call,
): Promise<Answered> {
  try {
    const checked = tool.check(input);
    if (call.prepared?.kind === 'refused') throw call.prepared.failure;
    if (tool.effect !== 'read' && !services.workspace.trusted) throw notTrusted();
    await services.redactor.check();
    await checkEvidence(checked, services);
    if (call.signal.aborted) throw new Interrupted();
    const begun = services.access.begin(checked.doing);
    const progress = (doing: string): void => {
      begun.progress(doing);
      call.progress?.(doing);
    };
    try {
      return { result: await checked.run(services, { ...call, progress }), checked };
    } finally {
      begun.end();
    }
  } catch (error) {
    const result = errorResult(error);
    return {
      result: tool.set === 'investigation' ? await recorded(tool, input, result, services) : result,
    };
  }
}

/** An error in an investigation has the form of its founding document, and is kept in the investigation's record. */
async function recorded(
  tool: Tool,
  input: unknown,
  result: ToolResult,
  services: ToolServices,
): Promise<ToolResult> {
  if (result.status !== 'error') return result;
  const sid = textOf(fields(input)['sid']);
  const { code, message, hint } = result;
  if (sid !== undefined)
    // The answer is worth more than its record.
    await services.investigation.investigations
      .recordError(sid, {
        tool: tool.name,
        code: String(code),
        message: String(message),
        hint: String(hint),
      })
      .catch(() => undefined);
  return { ...result, isError: true };
}

/** A call before it runs. */
export interface Preparation {
  /** What is shown while it runs. */
  readonly doing: string;
  readonly prepared: Prepared;
  /** What the person was asked for, or would have been; undefined for a mere look. */
  readonly consent: Consent | undefined;
}

/**
 * Before a call runs: what the person is asked about it, whoever calls. A call that would fail asks nothing, and then
 * does nothing, whatever has changed when it comes; so does one whose question fails for any other reason.
 * @param allows whether the person has allowed such calls once for all
 * @param asksOutside whether reading a file outside the workspace is asked about; where it is not, the call does not quote it
 */
export async function prepareCall(
  tool: Tool,
  input: unknown,
  services: ToolServices,
  allows: (consent: Consent) => boolean,
  asksOutside = true,
): Promise<Preparation> {
  let doing = l10n.t('Checking the request');
  let consent: Consent | undefined;
  try {
    const checked = tool.check(input);
    doing = checked.doing;
    consent = checked.consent(services);
    const outside = asksOutside ? await checked.outside(services) : [];
    if (consent === undefined && outside.length === 0)
      return { doing, consent, prepared: { kind: 'allowed' } };
    if (consent !== undefined && !services.workspace.trusted) throw notTrusted();
    services.access.check();
    await checkEvidence(checked, services);
    // What lies outside the workspace is asked about, whatever the person allows of it.
    const isAllowed = outside.length === 0 && (consent === undefined || allows(consent));
    const question = isAllowed ? undefined : await checked.question(services);
    return {
      doing,
      consent,
      prepared: question === undefined ? { kind: 'allowed' } : { kind: 'asked', question },
    };
  } catch (error) {
    return {
      doing,
      consent,
      prepared: {
        kind: 'refused',
        failure: asFailure(error) ?? (error instanceof Error ? error : new Error(String(error))),
      },
    };
  }
}

export function errorResult(error: unknown): ToolResult {
  const failure = asFailure(error);
  if (failure !== undefined)
    return {
      status: 'error',
      code: failure.code,
      message: failure.message,
      hint: failure.hint,
      ...failure.data,
    };
  if (error instanceof Interrupted)
    return {
      status: 'interrupted',
      message: l10n.t('The call was cancelled; the program was left as it is.'),
    };
  if (error instanceof Superseded) {
    return {
      status: 'error',
      code: 'stale_reference',
      message: l10n.t('The program moved on while it was being looked at.'),
      hint: 'Call get_debug_state to see where it is now.',
    };
  }
  return {
    status: 'error',
    code: 'internal_error',
    message: l10n.t(
      'Something went wrong inside Agent Debugger: {0}',
      error instanceof Error ? error.message : String(error),
    ),
    hint: 'Call get_debug_state; report this to the project if it happens again.',
  };
}

function notTrusted(): Failure {
  return new Failure(
    'workspace_not_trusted',
    l10n.t('This workspace is not trusted, so nothing in it may be run or changed.'),
    'Ask the person to trust the workspace (command “Workspaces: Manage Workspace Trust”).',
  );
}
