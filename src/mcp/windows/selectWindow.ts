import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/sdk/types.js';
import { oneLine } from '../../tools/question';
import type { Fields } from '../../debugger/protocol';
import type { WindowEntry } from './registry';
import { chooseWindow } from './routing';

/** Only MCP clients have this tool. A call inside VS Code is always for its own window. */
export const SELECT_WINDOW = 'select_window';

const HOW = `Call ${SELECT_WINDOW} with window: the folder that you work on, or a window_id where two have the same folder; or the person adds ?workspace=<folder> to the server's URL (the stdio bridge: --workspace <folder>).`;

/** The tool's entry in `tools/list` while there are several windows. */
export function selectWindowDefinition(): ToolDefinition {
  return {
    name: SELECT_WINDOW,
    title: l10n.t('Select Window'),
    description:
      'Several VS Code windows are open: choose the one that you debug in, by its folder. Without window it lists them. Every later call goes to that window.',
    inputSchema: {
      type: 'object',
      properties: {
        window: {
          type: 'string',
          minLength: 1,
          maxLength: 4096,
          description: 'Folder (absolute path or name) or window_id.',
        },
      },
      additionalProperties: false,
    },
    annotations: {
      title: l10n.t('Select Window'),
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

interface WindowView {
  readonly window_id: string;
  readonly name: string;
  readonly folders: readonly string[];
  readonly editor: string;
  readonly selected?: true;
}

export function viewsOf(windows: readonly WindowEntry[], selected?: string): readonly WindowView[] {
  return windows.map(({ id, name, folders, editor }) => ({
    window_id: id,
    name,
    folders,
    editor,
    ...(id === selected && { selected: true as const }),
  }));
}

/** The result of a tool, as text and as structured content. */
export function toolResult(value: SelectionResult): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value,
    ...(value.status === 'error' && { isError: true }),
  };
}

/** The result of `select_window`, or of a call that has no window. */
export type SelectionResult = { readonly status: string } & Readonly<Record<string, unknown>>;

/** The reason why there is no window for a call: a stable code, a message, and the next action. */
export interface NoWindow {
  readonly status: 'error';
  readonly code: 'choose_window' | 'no_window' | 'window_closed' | 'invalid_input';
  readonly message: string;
  readonly hint: string;
  readonly windows?: readonly WindowView[];
  readonly [more: string]: unknown;
}

export function several(windows: readonly WindowEntry[]): NoWindow {
  return {
    status: 'error',
    code: 'choose_window',
    message: l10n.t(
      'Several VS Code windows are open, and the request does not say which one it is for. Nothing was done.',
    ),
    hint: HOW,
    windows: viewsOf(windows),
  };
}

export function noneFor(requested: string | undefined, windows: readonly WindowEntry[]): NoWindow {
  const message =
    requested === undefined
      ? l10n.t('No VS Code window can be reached. Nothing was done.')
      : l10n.t('No VS Code window has {0} open. Nothing was done.', requested);
  return {
    status: 'error',
    code: 'no_window',
    message,
    hint: `Ask the person to open that folder in VS Code with the MCP server on. ${HOW}`,
    windows: viewsOf(windows),
  };
}

export function closed(
  folders: readonly string[] | undefined,
  windows: readonly WindowEntry[],
): NoWindow {
  const what = folders?.map((folder) => path.basename(folder)).join(', ') || '?';
  return {
    status: 'error',
    code: 'window_closed',
    message: l10n.t(
      'The VS Code window ({0}) has closed or is being reloaded. Debug sessions in it have ended.',
      what,
    ),
    hint: `Repeat the call to continue in that window, if it is open again. To continue in another: ${HOW}`,
    windows: viewsOf(windows),
  };
}

function unknownParameters(names: readonly string[]): NoWindow {
  return {
    status: 'error',
    code: 'invalid_input',
    message: l10n.t('Invalid input for {0}: {1}', SELECT_WINDOW, names.join(', ')),
    hint: 'Parameters: window. Nothing was changed.',
  };
}

function unknownWindow(text: string, windows: readonly WindowEntry[]): NoWindow {
  return {
    status: 'error',
    code: 'invalid_input',
    message: l10n.t('No VS Code window is called {0}.', text),
    hint: 'window: one of the folders or window_ids of windows. Nothing was changed.',
    windows: viewsOf(windows),
  };
}

/**
 * The window that the client has named, or the reason why there is none. Undefined if the client only requests the
 * list.
 */
export type Selection = WindowEntry | NoWindow | undefined;

/** Reads the arguments of `select_window`. */
export function readSelection(
  { window: requested, ...others }: Fields,
  windows: readonly WindowEntry[],
): Selection {
  const unknown = Object.keys(others).map((name) => oneLine(name, 60));
  if (unknown.length > 0) return unknownParameters(unknown.slice(0, 5));
  if (requested === undefined) return undefined;
  const name = typeof requested === 'string' ? requested : JSON.stringify(requested);
  const choice = chooseWindow(windows, { workspace: name });
  if (choice.kind === 'several') return several(choice.windows);
  if (choice.kind === 'none') return unknownWindow(name.slice(0, 200), windows);
  return choice.window;
}
