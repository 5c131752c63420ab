import { pythonModule, pythonPart, pythonText } from './pythonModule';

/**
 * The name of the recorder's file. A condition reads the file on its first use, because a long condition is slow at
 * every hit.
 */
export const PYTHON_FILE = 'recorder.py';

/**
 * The text of the file.
 * @param name the name of the recorder's module in the program
 * @param files the folder with the parts of the recorder that are files of the extension
 */
export function pythonFile(name: string, settings: string, files: string): string {
  return pythonModule(
    name,
    settings,
    ['r', 'close', 'choose', 'last'],
    [
      pythonPart(`${files}/connection.py`),
      pythonPart(`${files}/values.py`),
      "W = {'C': dict(C, text=30000, items=2000)}",
      pythonPart(`${files}/values.py`, 'W'),
      pythonPart(`${files}/expressions.py`),
      pythonPart(`${files}/parts.py`),
      pythonPart(`${files}/points.py`),
    ],
  );
}

/** The condition of a breakpoint that records points. If the file cannot be read, the program stops. */
export function pythonCondition(name: string, folder: string, ids: readonly number[]): string {
  const path = `${folder}/${PYTHON_FILE}`;
  const file = JSON.stringify(path);
  const module = `__import__('sys').modules.get('${name}')`;
  const install = `__import__('os').path.isfile(${file})and __import__('builtins').exec(${pythonText(path)},{})`;
  const stop = `__import__('types').SimpleNamespace(r=lambda*a:True)`;
  // The debugger compiles the condition at each hit. Therefore the part that only the first hit needs is a string in
  // it.
  const first = JSON.stringify(`(${install})or ${module}or ${stop}`);
  return `(${module}or __import__('builtins').eval(${first})).r(${ids.join(',')})`;
}

/**
 * Chooses the call in which a thread is stopped, at a line of a file, and records a point there. Evaluates to `True` on
 * success.
 */
export function pythonChoice(
  { name, folder }: { readonly name: string; readonly folder: string },
  id: number,
  file: string,
  line: number,
): string {
  // A condition without points only installs the recorder, if it is not installed yet.
  const module = `__import__('sys').modules.get('${name}')`;
  return `((${pythonCondition(name, folder, [])},${module}.choose(${id},${JSON.stringify(file)},${line}))[1])`;
}

/** The expression that records the locals of the chosen call again, in a stopped program. */
export function pythonLast(name: string): string {
  return `(lambda m:bool(m and m.last()))(__import__('sys').modules.get('${name}'))`;
}

/** The expression that removes the recorder from a stopped program. */
export function pythonRemoval(name: string): string {
  return `(lambda m:m and m.close())(__import__('sys').modules.get('${name}'))`;
}
