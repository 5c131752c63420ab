import { fields, listOf } from '../../debugger/protocol';
import { TOOLS } from '../../tools/catalog';

/**
 * Whether the editor shows its agents the tools that are registered with it (`vscode.lm.tools`). Some that are built on
 * VS Code have language model tools in name only, or none.
 */
export function showsTools(editor: unknown): boolean {
  const shown = new Set(
    listOf(fields(fields(editor)['lm'])['tools']).map((each) => fields(each)['name']),
  );
  return TOOLS.some((tool) => shown.has(tool.name));
}
