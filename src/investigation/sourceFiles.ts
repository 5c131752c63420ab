/**
 * The extensions of source code. Files of other kinds may be settings, data or credentials: `.env`, `config.yaml`,
 * `key.pem`.
 */
const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|pyx|go|rs|rb|java|kts?|scala|groovy|clj|cs|fs|vb|php|c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm|swift|dart|lua|ex|exs|erl|hs|ml|jl|pl|pm|r|zig|nim|cr|d|pas|f90|asm|s)$/i;

/** Whether a path names source code that is not hidden. */
export function isSourceFile(file: string): boolean {
  return SOURCE.test(file) && !file.split(/[\\/]/).some((part) => /^\.(?!\.?$)/.test(part));
}
