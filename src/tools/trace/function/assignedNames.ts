/**
 * Returns the names to which a line assigns or that it declares, as far as its beginning shows them: `x = 1`, `const x
 * = 1`, `a, b = f()`, `const { a, b: c } = f()`, `for x in xs`, `with open(p) as f`. Members and compound assignments
 * are not included, because they change an object instead of a name.
 */
export function assignedNames(text: string): readonly string[] {
  const loop = LOOP.exec(text)?.[1];
  if (loop !== undefined) return namesIn(loop);
  const target = targetOf(text);
  const bound = [...text.matchAll(BOUND)].flatMap(([, name]) => name ?? []);
  return [...(target === undefined ? [] : namesIn(target)), ...bound];
}

const LOOP = /^\s*(?:async\s+)?for\s+(?:await\s+)?(?:\(\s*)?(\S.*?)\s(?:in|of)\s/u;
const BOUND = /\bas\s+([\p{L}_][\p{L}\p{N}_]*)\s*[,:]/gu;
const DECLARES = /^\s*(?:(?:export|const|let|var)\s+)*/;
const NAME = /^(?:\.{3}|\*)?\s*([\p{L}_$][\p{L}\p{N}_$]*)$/u;

/** Returns the text before the first assignment that is not within brackets. */
function targetOf(text: string): string | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === '=' && depth === 0) {
      const isAssignment = !/[=!<>+\-*/%&|^?~]/.test(text[at - 1] ?? '');
      return isAssignment && !/[=>]/.test(text[at + 1] ?? '')
        ? text.slice(0, at).replace(/:$/, '')
        : undefined;
    }
  }
  return undefined;
}

function namesIn(target: string): readonly string[] {
  const bare = target.replace(DECLARES, '').trim();
  const within = /^[[{(](.*)[\])}]$/su.exec(bare)?.[1];
  const isObject = bare.startsWith('{');
  return (within ?? bare).split(',').flatMap((element) => {
    const [before = '', after] = element.replace(/=.*$/s, '').split(':');
    // An object pattern renames after the colon. Elsewhere, a type follows it.
    return NAME.exec((isObject ? (after ?? before) : before).trim())?.[1] ?? [];
  });
}
