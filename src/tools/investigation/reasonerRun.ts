import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { REASONING_FILE, reasoningDocument } from '../../investigation/documents';
import { uriOf } from '../../investigation/paths';
import {
  readReasoning,
  reasonerPrompt,
  type Reasoner,
  type Reasoning,
} from '../../investigation/reasoning';
import type { AuditLine, ChunkRecord, InvestigationRecord } from '../../investigation/record';
import { Failure } from '../../results/failure';
import { defineTool, success } from '../defineTool';
import type { Question } from '../question';
import { maxChars, resultSchema } from '../schemas';
import type { Call, ToolServices } from '../services';
import { errorShape, sid } from './investigationSchemas';
import { materialMessage, materialOf } from './reasonerMaterial';
import { chosenChunks } from './selection';
import { timeLimit } from '../../util/timeLimit';

const MAX_CHUNKS = 6;

const input = z.strictObject({
  sid,
  task: z.enum(['propose_patch', 'analyze_root_cause']),
  context: z
    .strictObject({
      selectedIds: z.array(z.string().max(60)).max(50).optional(),
      notes: z.string().max(4000).optional(),
    })
    .optional()
    .describe('Chunks to show to the model (default: the chosen or first ones), and notes.'),
  max_chars: maxChars,
});
type Input = z.output<typeof input>;

export const reasonerRun = defineTool({
  name: 'reasoner_run',
  set: 'investigation',
  effect: 'change',
  title: 'Ask a Model for the Cause',
  userDescription: 'Sends the evidence of an investigation to the model that you have chosen',
  modelDescription:
    'Give the evidence to another model, which the person has set up, and return its analysis and solutions with rationale, approach and confidence. Off unless configured. You apply what fits, and prove it with verify_run.',
  icon: 'lightbulb-sparkle',
  input,
  output: resultSchema(['success'], {
    ...errorShape,
    analysis: z.string().optional(),
    solutions: z
      .array(z.object({ rationale: z.string(), approach: z.string(), confidence: z.number() }))
      .readonly()
      .optional(),
    answer: z.string().optional(),
    link: z.string().optional(),
  }),
  needs: 'nothing',
  doing: () => l10n.t('Asking a model for the cause'),
  question: async ({ input, services }) => await questionOf(services, input),
  run: async ({ input, services, call }) => {
    const found = await services.investigation.investigations.find(input.sid);
    const chunks = chunksFor(found, input);
    const reasoner = await reasonerOf(services, call);
    const prompt = await promptOf(services, found, input, chunks);
    const result = await askModel(services, input, reasoner, prompt, call);
    return success({ ...result, link: uriOf(input.sid, REASONING_FILE) });
  },
});

async function questionOf(services: ToolServices, given: Input): Promise<Question> {
  const { reasoner, investigations } = services.investigation;
  const found = await investigations.find(given.sid);
  const chunks = chunksFor(found, given);
  if (reasoner.kind === 'off') throw isOff();
  const material = await materialOf(services, chunks, given.context?.notes);
  return {
    title: l10n.t('Ask a model for the cause'),
    message: materialMessage(found, material, reasoner.label),
  };
}

/**
 * Returns the chosen chunks, or the chunks of the last clarification, or the first chunks.
 * @throws Failure for an unknown id
 */
function chunksFor(found: InvestigationRecord, { context }: Input): readonly ChunkRecord[] {
  const all = found.analysis?.chunks.map(({ id }) => id) ?? [];
  const clarified = found.clarifications.at(-1)?.selectedIds.filter((id) => all.includes(id)) ?? [];
  const selected = context?.selectedIds ?? (clarified.length > 0 ? clarified : all);
  return chosenChunks(found, selected).slice(0, MAX_CHUNKS);
}

/**
 * Returns the chosen reasoner.
 * @throws Failure `not_supported` if the person has not chosen a reasoner, or it is not available
 */
async function reasonerOf(services: ToolServices, call: Call): Promise<Reasoner> {
  const { reasoner } = services.investigation;
  if (reasoner.kind === 'off') throw isOff();
  const found = reasoner.kind === 'mcp' ? samplingOf(call) : await reasoner.find(call.signal);
  if (found !== undefined) return found;
  throw new Failure(
    'not_supported',
    l10n.t('The chosen reasoner ({0}) is not available here.', reasoner.label),
    'Go on without it: fix what the first chunk shows. The person can change the setting agentDebugger.investigation.reasoner.',
  );
}

/** Returns the model of the calling MCP client, if the client supports sampling. */
function samplingOf({ client }: Call): Reasoner | undefined {
  if (client?.sample === undefined) return undefined;
  return { name: client.name, ask: client.sample };
}

async function promptOf(
  services: ToolServices,
  found: InvestigationRecord,
  { task, context }: Input,
  chunks: readonly ChunkRecord[],
): Promise<string> {
  const { sources, notes } = await materialOf(services, chunks, context?.notes);
  const prompt = reasonerPrompt(found, task, chunks, sources, notes);
  // All text that leaves the machine is redacted. The person's setting for results does not change this.
  return await services.investigation.outgoing.text(prompt);
}

/** Asks the model, with an audit line before and after, and stores the answer. */
async function askModel(
  services: ToolServices,
  { sid: id, task }: Input,
  reasoner: Reasoner,
  prompt: string,
  call: Call,
): Promise<Reasoning> {
  const { investigations } = services.investigation;
  const audit = async (outcome: AuditLine['outcome']): Promise<void> => {
    const line = auditLine(reasoner, task, prompt, outcome);
    await investigations.update(id, (current) => ({ audit: [...current.audit, line].slice(-200) }));
  };
  await audit('sent');
  const limit = timeLimit(Math.ceil(call.maxWaitSeconds * 1000));
  try {
    const answer = await reasoner.ask(prompt, AbortSignal.any([call.signal, limit]));
    const read = readReasoning(answer);
    await audit('answered');
    const at = new Date();
    const text = reasoningDocument(read, reasoner.name, task, at);
    await investigations.writeText(id, REASONING_FILE, text);
    await investigations.update(id, ({ reasoning }) => ({
      reasoning: [...reasoning, { at: at.toISOString(), by: reasoner.name, file: REASONING_FILE }],
    }));
    return read;
  } catch (error) {
    await audit('failed');
    throw error instanceof Failure || call.signal.aborted ? error : notAnswered(error);
  }
}

function auditLine(
  reasoner: Reasoner,
  task: Input['task'],
  prompt: string,
  outcome: AuditLine['outcome'],
): AuditLine {
  const [at, characters] = [new Date().toISOString(), prompt.length];
  return { at, to: reasoner.name, task, characters, redacted: true, outcome };
}

function notAnswered(error: unknown): Failure {
  return new Failure(
    'reasoner_failed',
    l10n.t(
      'The model has not answered: {0}',
      error instanceof Error ? error.message : String(error),
    ),
    'Go on without it, or call reasoner_run again: the captures and chunks are kept.',
  );
}

function isOff(): Failure {
  return new Failure(
    'not_supported',
    l10n.t('No reasoner is configured.'),
    'Go on without it: fix what the first chunk shows. The person can choose one with the setting agentDebugger.investigation.reasoner.',
  );
}
