import path from 'node:path';

/**
 * The name of the recorder's file. A condition reads the file on its first use, because a long condition is slow at
 * every hit.
 */
export const PYTHON_FILE = 'recorder.py';

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

/**
 * Returns an expression for the recorder in the program. The first one loads it from its file. When the recording has
 * ended, its folder is gone, and the recorder does nothing: a thread may still be at a condition that has been removed.
 * If the program cannot read the file for another reason, the method returns true, so that the program stops: on another
 * machine, as another user, or without a file descriptor. `is_over` in `recorders/python/folder.py` is the same rule.
 * @param method the only method that is called
 */
export function loadedRecorder(name: string, folder: string, method: string): string {
  const module = `__import__('sys').modules.get('${name}')`;
  const file = pythonText(path.join(folder, PYTHON_FILE));
  const load = JSON.stringify(`try: text = ${file}\nexcept OSError: text = ''\nexec(text)`);
  const isThere = `__import__('os').path.isdir(${JSON.stringify(folder)})`;
  const isHere = `__import__('os').access(${JSON.stringify(path.dirname(folder))},5)`;
  const none = `__import__('types').SimpleNamespace(${method}=lambda*a:${isThere}or not ${isHere})`;
  // The debugger compiles the condition at each hit. Therefore the part that only the first hit needs is a string in
  // it.
  const first = JSON.stringify(`__import__('builtins').exec(${load},{})or ${module}or ${none}`);
  return `(${module}or __import__('builtins').eval(${first}))`;
}
