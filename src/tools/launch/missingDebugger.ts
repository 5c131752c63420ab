import { extensionForLanguage, typesFor } from '../../debugger/adapters/registry';
import { fields, textOf } from '../../debugger/protocol';
import { Failure } from '../../results/failure';
import type { InstalledDebugger, ToolServices } from '../services';

const CODE = 'debugger_not_installed';

/**
 * No installed debugger fits.
 * @param extension the one that brings a debugger, where it is known: VS Code then offers it to the person
 * @param otherwise what else the agent can do
 */
export function debuggerNotInstalled(
  message: string,
  debuggers: readonly InstalledDebugger[],
  extension: string | undefined,
  otherwise: string,
): Failure {
  const installed = [...new Set(debuggers.map((each) => each.type))];
  const hint =
    extension === undefined
      ? 'Ask the person to install a debugger for it.'
      : `Ask the person to install the extension ${extension}.`;
  return new Failure(CODE, message, `${hint} ${otherwise}`, {
    ...(extension !== undefined && { extension }),
    installed,
  });
}

/** The extension that a call lacked; undefined where it lacked none, or nobody knows which. */
export function extensionLackedBy(result: unknown): string | undefined {
  const { code, extension } = fields(result);
  return code === CODE ? textOf(extension) : undefined;
}

/** An extension that would debug programs of this workspace. */
export interface MissingDebugger {
  readonly extension: string;
  /** For whom it is, as people call the language. */
  readonly language: string;
}

const LANGUAGES: readonly (readonly [id: string, name: string, extensions: readonly string[]])[] = [
  ['python', 'Python', ['py']],
  ['go', 'Go', ['go']],
  ['java', 'Java', ['java']],
  ['native', 'C, C++, Rust, Swift', ['c', 'cc', 'cpp', 'cxx', 'rs', 'swift']],
];

/** The debuggers that the files of the workspace call for and that are not installed. */
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
