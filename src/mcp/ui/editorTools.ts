import { fields, listOf } from '../../debugger/protocol';
import { TOOLS } from '../../tools/catalog';

/**
 * Whether the editor provides the tools that are registered with it (`vscode.lm.tools`) to its agents. Some editors
 * based on VS Code have no language model tools, or only the API for them.
 */
export function showsTools(editor: unknown): boolean {
  const shown = new Set(
    listOf(fields(fields(editor)['lm'])['tools']).map((tool) => fields(tool)['name']),
  );
  return TOOLS.some((tool) => shown.has(tool.name));
}
