import { extensionForLanguage, typesFor } from '../../debugger/adapters/registry';
import { fields, textOf } from '../../debugger/protocol';
import { Failure } from '../../results/failure';
import { defined } from '../../util/defined';
import type { InstalledDebugger, ToolServices } from '../services';

const CODE = 'debugger_not_installed';

/**
 * Returns the error if no installed debugger fits.
 * @param extension the extension that contributes a debugger, if known. VS Code then offers it to the person.
 * @param otherwise the alternatives for the agent
 */
export function debuggerNotInstalled(
  message: string,
  debuggers: readonly InstalledDebugger[],
  extension: string | undefined,
  otherwise: string,
): Failure {
  const installed = [...new Set(debuggers.map(({ type }) => type))];
  const hint =
    extension === undefined
      ? 'Ask the person to install a debugger for it.'
      : `Ask the person to install the extension ${extension}.`;
  return new Failure(CODE, message, `${hint} ${otherwise}`, {
    ...defined({ extension }),
    installed,
  });
}

/**
 * Returns the extension that a call lacked. Returns undefined if the call lacked none, or if the extension is unknown.
 */
export function extensionLackedBy(result: unknown): string | undefined {
  const { code, extension } = fields(result);
  return code === CODE ? textOf(extension) : undefined;
}

/** An extension that could debug programs of this workspace. */
export interface MissingDebugger {
  readonly extension: string;
  /** The display name of its language. */
  readonly language: string;
}

const LANGUAGES: readonly (readonly [id: string, name: string, extensions: readonly string[]])[] = [
  ['python', 'Python', ['py']],
  ['go', 'Go', ['go']],
  ['java', 'Java', ['java']],
  ['native', 'C, C++, Rust, Swift', ['c', 'cc', 'cpp', 'cxx', 'rs', 'swift']],
];

/** Returns the missing debuggers for the files of the workspace. */
export async function missingDebuggers({
  workspace,
}: Pick<ToolServices, 'workspace'>): Promise<readonly MissingDebugger[]> {
  const installed = new Set(workspace.debuggers().map(({ type }) => type));
  const found = await Promise.all(
    LANGUAGES.map(async ([id, language, endings]) => {
      const extension = extensionForLanguage(id);
      if (extension === undefined || typesFor(id).some((type) => installed.has(type))) return [];
      return (await workspace.filesWith(endings)).length > 0 ? [{ extension, language }] : [];
    }),
  );
  return found.flat();
}
