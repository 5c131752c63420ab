/** Methods of Python's own collections that change them. */
export const CHANGING: ReadonlySet<string> = new Set(
  'append appendleft extend extendleft insert pop popleft popitem remove clear sort reverse rotate update setdefault add discard __setitem__ __delitem__ __setattr__ difference_update intersection_update symmetric_difference_update move_to_end fill put resize'.split(
    ' ',
  ),
);

/** Functions that change their first argument. */
export const CHANGERS =
  /(?<![\w.])(?:setattr|delattr|object\.__setattr__|(?:random\.)?shuffle|(?:heapq\.)?(?:heappush|heappop|heapify|heapreplace|heappushpop)|(?:bisect\.)?insort(?:_left|_right)?)(\s{0,20})\(/g;

/** Returns the object whose attributes are in a dictionary: `o` for `o.__dict__` and `vars(o)`. */
export function ownerOfDictionary(receiver: string): string | undefined {
  const text = receiver.trim();
  if (text.endsWith('.__dict__')) return text.slice(0, -'.__dict__'.length);
  return /^vars\s{0,20}\(([^()]{1,100})\)$/.exec(text)?.[1]?.trim();
}
