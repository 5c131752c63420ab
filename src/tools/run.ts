import * as l10n from '@vscode/l10n';
import { asFailure } from '../results/debuggerFailures';
import { Failure } from '../results/failure';
import { Superseded } from '../debugger/inspection/stopRequests';
import { countOf, fields, textOf } from '../debugger/protocol';
import { Interrupted } from '../debugger/requests';
import { checkEvidence, withEvidence } from './investigation/evidence';
import { fitResult } from '../results/fit';
import { visible } from '../results/visible';
import { wellFormed } from '../results/wellFormed';
import type { CheckedCall, Consent, Tool, ToolResult } from './defineTool';
import type { Prepared } from './preparedCalls';
import { MIN_BUDGET, MAX_BUDGET } from './schemas';
import type { Call, ToolServices } from './services';

/**
 * Runs every call of both front ends. It checks the input, finds the target, runs the tool, converts errors into
 * results, redacts credentials, shows hidden characters as escapes, and fits the result to its budget. It never throws.
 */
export async function runTool(
  tool: Tool,
  input: unknown,
  services: ToolServices,
  call: Call,
): Promise<ToolResult> {
  const { result, checked } = await resultOf(tool, input, services, call);
  try {
    // The text of a program is made visible after it was checked as it is.
    const shown = visible(await withoutCredentials(tool, result, input, services));
    const kept = checked === undefined ? shown : await withEvidence(tool, checked, shown, services);
    return fitResult(kept, budgetOf(input, call));
  } catch (error) {
    // For example, the data is nested too deeply.
    return fitResult(errorResult(error), budgetOf(input, call));
  }
}

/** Redacts credentials. A result that cannot be checked is withheld. The effects of the call remain. */
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

/** Returns the budget that the input requests, or else the budget of the front end. */
function budgetOf(input: unknown, call: Call): number {
  const requested = countOf(fields(input)['max_chars']);
  return requested !== undefined && requested >= MIN_BUDGET && requested <= MAX_BUDGET
    ? requested
    : call.maxChars;
}

interface CallResult {
  readonly result: ToolResult;
  /** The checked call. Undefined if the call failed. */
  readonly checked?: CheckedCall;
}

async function resultOf(
  tool: Tool,
  input: unknown,
  services: ToolServices,
  call: Call,
): Promise<CallResult> {
  try {
    const checked = tool.check(input);
    if (call.prepared?.kind === 'refused') throw call.prepared.failure;
    if (!services.workspace.trusted && checked.consent(services) !== undefined) throw notTrusted();
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

/** Adds `isError` to errors of investigation tools, and stores the errors in the record of the investigation. */
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
    // The result is returned even if it cannot be recorded.
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

/** The preparation of a call before it runs. */
export interface Preparation {
  /** The text that is shown while it runs. */
  readonly doing: string;
  readonly prepared: Prepared;
  /** The consent that the call needs. Undefined for a read-only call. */
  readonly consent: Consent | undefined;
}

/**
 * Prepares a call of either front end. It creates the question to the person. For a call that would fail, no question
 * is asked. When this call runs, it does nothing, even if the situation has changed in the meantime. The same applies
 * if the question cannot be created for any other reason.
 * @param allows whether the person has allowed all calls with this consent
 * @param asksOutside whether the person is asked about files outside the workspace. If not, the call does not quote
 * them.
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
    // The person is asked about files outside the workspace even if they allow all calls in general.
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
      message: l10n.t('The program resumed while its state was being read.'),
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
