/** The text of a module that runs in the program, with its settings as `C`, and only some of its names. */
export function pythonModule(
  name: string,
  settings: string,
  names: readonly string[],
  parts: readonly string[],
): string {
  return [
    'import json, sys, types',
    `C = json.loads(${JSON.stringify(settings)})`,
    ...parts,
    `m = types.ModuleType(${JSON.stringify(name)})`,
    `${names.map((each) => `m.${each}`).join(', ')} = ${names.join(', ')}`,
    `sys.modules[${JSON.stringify(name)}] = m`,
  ].join('\n');
}

/** The text that runs a file of the extension, by default in the same namespace. */
export function pythonPart(file: string, namespace = 'globals()'): string {
  return `exec(compile(${pythonText(file)}, ${JSON.stringify(file)}, 'exec'), ${namespace})`;
}

/** An expression for the text of a file. The file is closed, because Python warns of files that are not. */
export function pythonText(file: string): string {
  return `__import__('pathlib').Path(${JSON.stringify(file)}).read_text(encoding='utf8')`;
}
