import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { SUMMARY_FILE, summaryDocument } from '../../investigation/documents';
import { uriOf } from '../../investigation/paths';
import { META } from '../../investigation/record';
import { defined } from '../../util/defined';
import { defineTool, success } from '../defineTool';
import { maxChars, resultSchema } from '../schemas';
import { errorShape, links, sid } from './investigationSchemas';

/** The reminder for the caller. It contains the rules of the founding document, in the order of the work. */
const REMINDER =
  'After capture_run always call analyze_capture. If needClarify is true, call clarify and analyze again. Then fix the smallest thing that the evidence supports, and prove it with verify_run; if it still fails, go back to the analysis. end_session writes the summary. Pass sid also to get_debug_state, wait_for_stop, trace_function, collect_values or debug_test: their answer is kept as evidence, which the summary cites.';

export const startSession = defineTool({
  name: 'start_session',
  set: 'investigation',
  effect: 'read',
  title: 'Start an Investigation',
  userDescription: 'Begins an investigation, whose evidence is kept as files',
  modelDescription:
    'Begin an investigation of one bug. Returns sid for the other tools of the investigation, spec with the order of the work, and links to its resources.',
  icon: 'beaker',
  input: z.strictObject({
    title: z.string().min(1).max(300).describe('The bug in one line: what happens, what should.'),
  }),
  output: resultSchema(['success'], {
    ...errorShape,
    sid: z.string().optional(),
    spec: z.object({ version: z.string(), system_reminder: z.string() }).optional(),
    links,
    expiresAt: z.string().optional(),
  }),
  needs: 'nothing',
  doing: () => l10n.t('Starting an investigation'),
  run: async ({ input, services }) => {
    const started = await services.investigation.investigations.start(input.title);
    const link = (path: string): string => uriOf(started.sid, path);
    return success({
      sid: started.sid,
      spec: { version: 'VDT DebugSpec 0.3', system_reminder: REMINDER },
      links: {
        meta: link(META),
        capture: link('logs/capture.ndjson'),
        buglens: link('analysis/buglens.md'),
        summary: link(SUMMARY_FILE),
      },
      expiresAt: started.expiresAt,
    });
  },
});

const endInput = z.strictObject({
  sid,
  hook: z.string().max(400).optional().describe('The bug in one line, as the summary begins.'),
  conclusion: z.string().max(4000).optional().describe('The cause and the fix, with the evidence.'),
  nextStep: z.string().max(2000).optional(),
  max_chars: maxChars,
});

/** The tool has two names, because clients know the second one from the founding document. */
function endTool(name: 'end_session' | 'mcp_end', modelDescription: string) {
  return defineTool({
    name,
    set: 'investigation',
    effect: 'read',
    title: 'End the Investigation',
    userDescription: 'Writes the summary of an investigation',
    modelDescription,
    icon: 'check-all',
    input: endInput,
    output: resultSchema(['success'], {
      ...errorShape,
      summary: z.string().optional(),
      link: z.string().optional(),
      links,
    }),
    needs: 'nothing',
    doing: () => l10n.t('Ending an investigation'),
    run: async ({ input: { sid: id, hook, conclusion, nextStep }, services }) => {
      const { investigations, captures } = services.investigation;
      await investigations.find(id);
      await captures.stop(id);
      const ended = await investigations.update(id, () => ({
        endedAt: new Date().toISOString(),
        ...defined({ hook }),
      }));
      const summary = summaryDocument(ended, { conclusion, nextStep });
      await investigations.writeText(id, SUMMARY_FILE, summary);
      const entries = await investigations.entries(id);
      return success({
        summary,
        link: uriOf(id, SUMMARY_FILE),
        links: Object.fromEntries(entries.map(({ path }) => [path, uriOf(id, path)])),
      });
    },
  });
}

export const endSession = endTool(
  'end_session',
  'End an investigation: stops what is still captured and writes analysis/summary.md with the evidence, the conclusion, the next step and the command that proves it.',
);

export const mcpEnd = endTool('mcp_end', 'The same as end_session.');
