import * as l10n from '@vscode/l10n';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { Failure } from '../../results/failure';
import { fields, isFields, listOf, textOf, type Fields } from '../../debugger/protocol';

/** A source from which VS Code takes launch configurations. */
export interface LaunchSource {
  readonly kind: 'folder' | 'workspace_file' | 'user_settings';
  /** The workspace folder, for `kind: folder`. */
  readonly folder: { readonly name: string; readonly path: string } | undefined;
  /**
   * The text of the file, or its value as VS Code has read it, or the path of a file that leads outside the workspace
   * and is not read.
   */
  readonly content:
    | { readonly text: string; readonly file: string }
    | { readonly value: unknown }
    | { readonly unread: string };
}

export interface LaunchEntry {
  readonly name: string;
  readonly folder: { readonly name: string; readonly path: string } | undefined;
  readonly configuration: Fields;
}

export interface Launches {
  readonly configurations: readonly LaunchEntry[];
  readonly compounds: readonly LaunchEntry[];
  /** The definitions of `${input:…}` variables. */
  readonly inputs: readonly Fields[];
}

/**
 * Reads all sources. Comments and trailing commas are permitted.
 * @throws Failure `launch_file_invalid` with file and line
 */
export function readLaunches(sources: readonly LaunchSource[]): Launches {
  const all = sources.map((source) => ({ folder: source.folder, root: readSource(source) }));
  const entries = (list: string): LaunchEntry[] =>
    all.flatMap(({ folder, root }) =>
      listOf(root[list]).flatMap((configuration) => {
        const name = textOf(fields(configuration)['name']);
        return isFields(configuration) && name !== undefined
          ? [{ name, folder, configuration }]
          : [];
      }),
    );
  return {
    configurations: entries('configurations'),
    compounds: entries('compounds'),
    inputs: all.flatMap(({ root }) => listOf(root['inputs']).filter(isFields)),
  };
}

function readSource({ content }: LaunchSource): Fields {
  if ('value' in content) return fields(content.value);
  if ('unread' in content) return {};
  const errors: ParseError[] = [];
  const root: unknown = parse(content.text, errors, {
    allowTrailingComma: true,
    disallowComments: false,
    allowEmptyContent: true,
  });
  const [first] = errors;
  if (first !== undefined) {
    const line = content.text.slice(0, first.offset).split('\n').length;
    throw new Failure(
      'launch_file_invalid',
      l10n.t(
        '{0} cannot be read: {1} in line {2}.',
        content.file,
        printParseErrorCode(first.error),
        line,
      ),
      'Fix the file, or call start_debugging with program instead.',
    );
  }
  return fields(root);
}
