import { isSecretName } from './redaction';

/**
 * Environment variables whose values help to find a fault. For all other variables only the name is shown, because any
 * variable can contain a secret, and a list of secret names is never complete.
 */
const SHOWN =
  /^(?:PATH|PATHEXT|LANG|LANGUAGE|LC_[A-Z]+|TZ|SHELL|TERM|TERM_PROGRAM|TERM_PROGRAM_VERSION|COLORTERM|PWD|OS|PROCESSOR_ARCHITECTURE|NUMBER_OF_PROCESSORS|COMSPEC|WSL_DISTRO_NAME|CODESPACES|REMOTE_CONTAINERS|DISPLAY|WAYLAND_DISPLAY|XDG_SESSION_TYPE|XDG_CURRENT_DESKTOP|CI|NODE_ENV|NODE_PATH|NODE_VERSION|NVM_BIN|VOLTA_HOME|PYTHONPATH|PYTHONHOME|VIRTUAL_ENV|CONDA_PREFIX|CONDA_DEFAULT_ENV|PYENV_VERSION|JAVA_HOME|GOPATH|GOROOT|GOOS|GOARCH|CARGO_HOME|RUSTUP_HOME|DOTNET_ROOT|VSCODE_NLS_CONFIG|VSCODE_ESM_ENTRYPOINT|VSCODE_CWD|ELECTRON_RUN_AS_NODE|AGENT_DEBUGGER_HOME)$/i;

/**
 * One line for each variable, sorted by name: `PATH=…` if the value is shown, otherwise `NAME (set)` or `NAME (empty)`.
 */
export function environmentLines(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.keys(environment)
    .sort()
    .flatMap((name) => {
      const value = environment[name];
      if (value === undefined) return [];
      return SHOWN.test(name) && !isSecretName(name)
        ? [`${name}=${value.slice(0, MAX_OF_A_VALUE)}`]
        : [`${name} (${value === '' ? 'empty' : 'set'})`];
    });
}

const MAX_OF_A_VALUE = 2000;
