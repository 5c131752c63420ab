/** The function that the page's script calls to notify the debugger. CDP `Runtime.addBinding`. */
export const ACTION_BINDING = '__agentDebuggerAction';

/**
 * The script that runs in the page before its own scripts. It reports where clicks, input and submits occur, but not
 * the typed text.
 */
export const PAGE_ACTIONS = `(() => {
  const send = globalThis.${ACTION_BINDING};
  if (typeof send !== 'function') return;
  const part = (element) => {
    if (element.id) return '#' + CSS.escape(element.id);
    const name = element.localName;
    const same = element.parentElement
      ? [...element.parentElement.children].filter((sibling) => sibling.localName === name)
      : [];
    return same.length > 1 ? name + ':nth-of-type(' + (same.indexOf(element) + 1) + ')' : name;
  };
  const selectorOf = (target) => {
    const parts = [];
    let element = target instanceof Element ? target : undefined;
    while (element && parts.length < 6) {
      parts.unshift(part(element));
      if (element.id) break;
      element = element.parentElement ?? undefined;
    }
    return parts.join(' > ');
  };
  const report = (type, event, coords) =>
    send(JSON.stringify({ type, url: location.href, selector: selectorOf(event.target), coords }));
  const at = (event) => ({ x: Math.round(event.clientX), y: Math.round(event.clientY) });
  addEventListener('click', (event) => report('click', event, at(event)), true);
  addEventListener('dblclick', (event) => report('dblclick', event, at(event)), true);
  addEventListener('change', (event) => report('input', event), true);
  addEventListener('submit', (event) => report('submit', event), true);
  addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === 'Escape') report('key ' + event.key, event);
  }, true);
})();`;
