import path from 'node:path';
import { fields, numberOf, textOf } from '../../debugger/protocol';
import { asFailure } from '../../results/debuggerFailures';
import { uriOf } from '../../investigation/paths';
import type { CheckedCall, Tool, ToolResult } from '../defineTool';
import type { ToolServices } from '../services';

const MOST_EVIDENCE = 200;

/** Before anything is done for a call whose answer is to be kept. @throws Failure for an investigation that takes none */
export async function checkEvidence(
  { sid }: CheckedCall,
  { investigation: { investigations } }: Pick<ToolServices, 'investigation'>,
): Promise<void> {
  if (sid !== undefined) await investigations.findOpen(sid);
}

/** Keeps the answer of a call as evidence, without credentials, and says in it where. */
export async function withEvidence(
  tool: Tool,
  { sid, doing }: CheckedCall,
  result: ToolResult,
  services: Pick<ToolServices, 'investigation'>,
): Promise<ToolResult> {
  const { status, ...rest } = result;
  // What failed or was cancelled has found nothing.
  if (sid === undefined || status === 'error' || status === 'interrupted') return result;
  const title = `${doing}: ${foundBy(result)}`;
  try {
    const evidence = await addEvidence(services, sid, { tool: tool.name, title, result });
    return { status, evidence, ...rest };
  } catch (error) {
    // What was found is worth more than its copy.
    const known = asFailure(error) ?? error;
    const why = known instanceof Error ? known.message : String(known);
    return { status, evidence_error: why, ...rest };
  }
}

/** What an answer says, in a few words. */
function foundBy(result: ToolResult): string {
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
 * Adds what a debugging tool found to an investigation: a stop, a trace, a table of values, a test's report.
 * @param title one line, which the summary cites
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
    return { evidence: [...current.evidence, { id, at, tool, title, file }].slice(-MOST_EVIDENCE) };
  });
  const added = evidence.at(-1);
  if (added === undefined) return uriOf(sid, 'meta.json');
  try {
    await investigations.writeJson(sid, added.file, { at, tool, title, result });
  } catch (error) {
    await investigations.update(sid, (current) => ({
      evidence: current.evidence.filter((each) => each.id !== added.id),
    }));
    throw error;
  }
  return uriOf(sid, added.file);
}
