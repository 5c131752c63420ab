import { loadedRecorder, pythonModule, pythonPart } from './pythonModule';

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
      pythonPart(`${files}/folder.py`),
      pythonPart(`${files}/values.py`),
      "W = {'C': dict(C, text=30000, items=2000)}",
      pythonPart(`${files}/values.py`, 'W'),
      pythonPart(`${files}/expressions.py`),
      pythonPart(`${files}/parts.py`),
      pythonPart(`${files}/points.py`),
    ],
  );
}

/** The condition of a breakpoint that records points. */
export function pythonCondition(name: string, folder: string, ids: readonly number[]): string {
  return `${loadedRecorder(name, folder, 'r')}.r(${ids.join(',')})`;
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
