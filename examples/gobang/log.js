/** Writes one line of a log: six fields, as JSON. */
export function log(level, module, func, msg, kv = {}) {
  const line = JSON.stringify({ ts: Date.now(), level, module, func, msg, kv });
  if (level === 'error') console.error(line);
  else console.log(line);
}
