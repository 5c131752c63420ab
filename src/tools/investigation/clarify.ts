import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { CLARIFY_FILE, clarifyDocument } from '../../investigation/documents';
import { uriOf } from '../../investigation/paths';
import { chunksIn } from '../../investigation/record';
import type { Investigations } from '../../investigation/investigations';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { maxChars, resultSchema } from '../schemas';
import type { Call, ToolServices } from '../services';
import { errorShape, sid } from './investigationSchemas';
import { chosenChunks } from './selection';
import type { PersonsChoice } from './investigationServices';
import { timeLimit } from '../../util/timeLimit';

const answer = z.strictObject({
  selectedIds: z.array(z.string().max(60)).max(50),
  notes: z.string().max(4000).optional(),
});

export const clarify = defineTool({
  name: 'clarify',
  set: 'investigation',
  effect: 'read',
  title: 'Clarify What Matters',
  userDescription: 'Records which parts of a capture matter, or asks you',
  modelDescription:
    'Record which chunks matter (answer.selectedIds, notes). An empty selectedIds takes the choice back. Without answer, the person is asked in VS Code or by the client. Call analyze_capture again afterwards.',
  icon: 'question',
  input: z.strictObject({
    sid,
    chunks: z
      .array(z.looseObject({ id: z.string().max(60) }))
      .max(50)
      .optional()
      .describe('The chunks to choose from; default: all of the last analysis.'),
    answer: answer.optional().describe('The answer of the person. Omit it to ask the person.'),
    max_chars: maxChars,
  }),
  output: resultSchema(['success'], {
    ...errorShape,
    selectedIds: z.array(z.string()).readonly().optional(),
    notes: z.string().optional(),
    link: z.string().optional(),
  }),
  needs: 'nothing',
  doing: () => l10n.t('Recording the selected parts'),
  run: async ({ input, services, call }) => {
    const { investigations } = services.investigation;
    const found = await investigations.find(input.sid);
    const offered = (input.chunks ?? []).map(({ id }) => id);
    const all = found.analysis?.chunks ?? [];
    const chunks = chosenChunks(found, offered.length > 0 ? offered : all.map(({ id }) => id));
    const choice = input.answer ?? (await askPerson(services, chunks, call));
    chosenChunks(found, choice.selectedIds);
    const by = input.answer === undefined ? 'person' : 'agent';
    await recordChoice(investigations, input.sid, choice, by);
    return success({
      selectedIds: choice.selectedIds,
      ...defined({ notes: choice.notes }),
      link: uriOf(input.sid, CLARIFY_FILE),
    });
  },
});

/** Stores a choice, and writes the document about the choices. */
export async function recordChoice(
  investigations: Investigations,
  id: string,
  { selectedIds, notes }: PersonsChoice,
  by: 'agent' | 'person',
): Promise<void> {
  const at = new Date().toISOString();
  const changed = await investigations.update(id, (found) => {
    const { clarifications } = found;
    const [chunks, earlier] = [chunksIn(found), clarifications.at(-1)?.ranges ?? []];
    const ranges = selectedIds.flatMap((chunkId) => {
      const chunk = chunks.find((candidate) => candidate.id === chunkId);
      if (chunk === undefined) return earlier.filter((range) => range.id === chunkId);
      const { startIdx, endIdx } = chunk.metadata;
      return [{ id: chunkId, startIdx, endIdx }];
    });
    const added = { at, by, selectedIds: [...selectedIds], ranges, ...defined({ notes }) };
    return { clarifications: [...clarifications, added].slice(-20) };
  });
  const document = clarifyDocument(chunksIn(changed), changed.clarifications);
  await investigations.writeText(id, CLARIFY_FILE, document);
}

/** Asks through the client if it can ask, otherwise in VS Code. @throws Failure `declined_by_person` */
async function askPerson(
  services: ToolServices,
  chunks: Parameters<ToolServices['investigation']['choose']>[0],
  call: Call,
): Promise<PersonsChoice> {
  const limit = timeLimit(Math.ceil(Math.max(1, call.maxWaitSeconds - 3) * 1000));
  const signal = AbortSignal.any([call.signal, limit]);
  const choose = call.client?.choose ?? ((all) => services.investigation.choose(all, signal));
  const choice = await choose(chunks, signal);
  if (choice !== undefined) return choice;
  throw new Failure(
    limit.aborted ? 'not_confirmed_yet' : 'declined_by_person',
    l10n.t('The person selected no part.'),
    'Ask the person in the chat, and call clarify with answer; or go on with the first chunk.',
  );
}
