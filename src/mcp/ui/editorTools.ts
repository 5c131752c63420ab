import { fields, listOf } from '../../debugger/protocol';
import { TOOLS } from '../../tools/catalog';

/**
 * Whether the editor shows its agents the tools that are registered with it (`vscode.lm.tools`). Some editors that are
 * built on VS Code have language model tools in name only, or not at all.
 */
export function showsTools(editor: unknown): boolean {
  const shown = new Set(
    listOf(fields(fields(editor)['lm'])['tools']).map((tool) => fields(tool)['name']),
  );
  return TOOLS.some((tool) => shown.has(tool.name));
}
