import path from 'node:path';
import { fields, isFields, listOf, textOf, type Fields } from '../../debugger/protocol';

/** The variable with the folders of shared libraries, by the system. */
const LIBRARIES: Readonly<Record<string, string>> = {
  linux: 'LD_LIBRARY_PATH',
  osx: 'DYLD_FALLBACK_LIBRARY_PATH',
  windows: 'PATH',
};

/**
 * Returns the environment variables that `cargo test` sets for the tests of a package.
 * @param messages what Cargo printed about its build
 * @param artifact the message about the test program
 * @param platform the system on which the program runs
 * @param inherited the value of a variable in the environment of the debugger
 */
export function cargoEnvironment(
  messages: readonly Fields[],
  artifact: Fields,
  platform: string | undefined,
  inherited: (name: string) => string | undefined,
): Readonly<Record<string, string>> {
  const manifest = textOf(artifact['manifest_path']) ?? '';
  const id = textOf(artifact['package_id']) ?? '';
  const scripts = messages.filter(({ reason }) => reason === 'build-script-executed');
  const own = scripts.find((script) => script['package_id'] === id);
  const program = textOf(artifact['executable']) ?? '';
  const linked = scripts
    .flatMap((script) => listOf(script['linked_paths']))
    .flatMap((folder) => textOf(folder)?.replace(/^\w+=/, '') ?? []);
  const deps = path.dirname(program);
  const name = LIBRARIES[platform ?? ''] ?? 'LD_LIBRARY_PATH';
  const folders = [...linked, path.dirname(deps), deps, inherited(name) ?? ''];
  return {
    ...outputOf(own),
    CARGO_MANIFEST_DIR: path.dirname(manifest),
    CARGO_MANIFEST_PATH: manifest,
    ...packageIn(id),
    [name]: folders.filter((folder) => folder !== '').join(path.delimiter),
  };
}

/** Returns the variables that a build script sets. */
function outputOf(script: Fields | undefined): Readonly<Record<string, string>> {
  if (script === undefined) return {};
  const folder = textOf(script['out_dir']);
  const pairs = listOf(script['env']).flatMap((entry) => {
    const [name, value] = listOf(entry).map(textOf);
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(pairs), ...(folder === undefined ? {} : { OUT_DIR: folder }) };
}

/** Reads `path+file:///app#shop@0.1.0` and the older `shop 0.1.0 (path+file:///app)`. */
function packageIn(id: string): Readonly<Record<string, string>> {
  const [, folder = '', name, version] = /^([^#]*)#(?:([^@#]+)@)?([^@#]+)$/.exec(id) ?? [];
  const [, oldName, oldVersion] = /^(\S+) (\S+) \(/.exec(id) ?? [];
  const number = version ?? oldVersion ?? '';
  const [major = '', minor = '', rest = ''] = number.split('.');
  return {
    CARGO_PKG_NAME: name ?? oldName ?? path.posix.basename(folder),
    CARGO_PKG_VERSION: number,
    CARGO_PKG_VERSION_MAJOR: major,
    CARGO_PKG_VERSION_MINOR: minor,
    CARGO_PKG_VERSION_PATCH: rest.split(/[-+]/)[0] ?? '',
  };
}

/** Returns the messages among the lines that Cargo printed. */
export function messagesIn(stdout: string): readonly Fields[] {
  return stdout.split('\n').map((line) => {
    try {
      const message: unknown = JSON.parse(line);
      return isFields(message) ? message : fields(undefined);
    } catch {
      return {};
    }
  });
}
