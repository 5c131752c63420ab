import path from 'node:path';
import { fields, numberOf, textOf } from '../../debugger/protocol';
import { asFailure } from '../../results/debuggerFailures';
import { uriOf } from '../../investigation/paths';
import type { CheckedCall, Tool, ToolResult } from '../defineTool';
import type { ToolServices } from '../services';

const MAX_EVIDENCE = 200;

/**
 * Checks the investigation before a call whose result will be stored as evidence.
 * @throws Failure if the investigation does not accept evidence
 */
export async function checkEvidence(
  { sid }: CheckedCall,
  { investigation: { investigations } }: Pick<ToolServices, 'investigation'>,
): Promise<void> {
  if (sid !== undefined) await investigations.findOpen(sid);
}

/** Stores the result of a call as evidence, without credentials, and adds the link to the result. */
export async function withEvidence(
  tool: Tool,
  { sid, doing }: CheckedCall,
  result: ToolResult,
  services: Pick<ToolServices, 'investigation'>,
): Promise<ToolResult> {
  const { status, ...rest } = result;
  // A failed or cancelled call has no findings.
  if (sid === undefined || status === 'error' || status === 'interrupted') return result;
  const title = `${doing}: ${summaryOf(result)}`;
  try {
    const evidence = await addEvidence(services, sid, { tool: tool.name, title, result });
    return { status, evidence, ...rest };
  } catch (error) {
    // If the evidence cannot be stored, the result is still returned.
    const reported = asFailure(error) ?? error;
    const message = reported instanceof Error ? reported.message : String(reported);
    return { status, evidence_error: message, ...rest };
  }
}

/** Returns a short summary of a result. */
function summaryOf(result: ToolResult): string {
  const stop = fields(result['stop_event_data'] ?? result['stop']);
  const reason = textOf(stop['reason']);
  if (reason === undefined)
    return textOf(result['outcome']) ?? textOf(result['message']) ?? result.status;
  const file = path.posix.basename(textOf(fields(stop['source'])['path']) ?? '');
  const line = numberOf(stop['line']);
  const thrown = textOf(fields(stop['exception'])['message']);
  const place = file === '' || line === undefined ? '' : ` at ${file}:${line}`;
  return `${reason}${place}${thrown === undefined ? '' : `: ${thrown}`}`;
}

/**
 * Adds the result of a debugging tool to an investigation. This is a stop, a trace, a table of values, or a test's
 * report.
 * @param title one line, which is cited in the summary
 * @returns the link, for the tool's own result
 * @throws Failure `investigation_not_found`
 */
export async function addEvidence(
  { investigation: { investigations } }: Pick<ToolServices, 'investigation'>,
  sid: string,
  {
    tool,
    title,
    result,
  }: { readonly tool: string; readonly title: string; readonly result: ToolResult },
): Promise<string> {
  const at = new Date().toISOString();
  const { evidence } = await investigations.update(sid, (current) => {
    const id = `x${Number(current.evidence.at(-1)?.id.slice(1) ?? 0) + 1}`;
    const file = `evidence/${id}-${tool}.json`;
    return { evidence: [...current.evidence, { id, at, tool, title, file }].slice(-MAX_EVIDENCE) };
  });
  const added = evidence.at(-1);
  if (added === undefined) return uriOf(sid, 'meta.json');
  try {
    await investigations.writeJson(sid, added.file, { at, tool, title, result });
  } catch (error) {
    await investigations.update(sid, (current) => ({
      evidence: current.evidence.filter((entry) => entry.id !== added.id),
    }));
    throw error;
  }
  return uriOf(sid, added.file);
}
