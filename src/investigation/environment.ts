/** The variables that are passed to a captured command. All others are left out, because they may contain secrets. */
const ALLOWED: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TERM',
  'COLORTERM',
  'TMPDIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XDG_RUNTIME_DIR',
  'NODE_OPTIONS',
  'NODE_PATH',
  'PYTHONPATH',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'JAVA_HOME',
  'GOPATH',
  'GOROOT',
  'GOCACHE',
  'GOFLAGS',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'GEM_HOME',
  'DOTNET_ROOT',
  'CI',
  // Windows
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'COMSPEC',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'USERNAME',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'WINDIR',
]);

const LOCALE = /^LC_[A-Z]+$/;

/** The variables of the allow list and of the person's own list. On Windows, case does not matter in names. */
export function allowedEnvironment(
  all: Readonly<Record<string, string | undefined>>,
  further: readonly string[],
  added: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const allowed = new Set([...ALLOWED, ...further.map((name) => name.toUpperCase())]);
  const passed = Object.entries(all).flatMap(([name, value]) =>
    value !== undefined && (allowed.has(name.toUpperCase()) || LOCALE.test(name))
      ? [[name, value] as const]
      : [],
  );
  return { ...Object.fromEntries(passed), ...added };
}
