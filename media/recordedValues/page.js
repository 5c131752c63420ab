// @ts-check
/**
 * The page of the view “Recorded Values”. It only draws what the extension sends, and reports what the person chooses.
 * All texts may come from the program, so they are set as text and never as HTML.
 */
(() => {
  // @ts-expect-error VS Code defines it in webviews.
  const vscode = acquireVsCodeApi();
  const SVG = 'http://www.w3.org/2000/svg';

  /** @param {string} id @returns {any} */
  const part = (id) => document.getElementById(id);
  const [choose, filter, show, remarks, count, head, body] = [
    'choose',
    'filter',
    'show',
    'remarks',
    'count',
    'head',
    'body',
  ].map(part);

  /** @param {string} name @param {string} [text] @param {string} [kind] */
  function element(name, text, kind) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }

  /** @param {string} text @param {object} message @param {string} [label] */
  function button(text, message, label) {
    const made = element('button', text);
    if (label) made.setAttribute('aria-label', label);
    made.addEventListener('click', () => vscode.postMessage(message));
    return made;
  }

  /** @param {any} chart */
  function drawing(chart) {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('width', String(chart.width));
    svg.setAttribute('height', String(chart.height));
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', chart.label);
    for (const points of chart.lines) {
      const line = document.createElementNS(SVG, 'polyline');
      line.setAttribute('points', points);
      svg.append(line);
    }
    return svg;
  }

  /** @param {any} column @param {number} index */
  function header(column, index) {
    const made = element('th');
    made.setAttribute('scope', 'col');
    made.setAttribute('aria-sort', column.sort);
    const arrow = column.sort === 'ascending' ? ' ▲' : column.sort === 'descending' ? ' ▼' : '';
    const sort = button(column.title + arrow, { type: 'sort', column: index }, column.label);
    sort.id = `sort-${index}`;
    made.append(sort);
    if (column.chart)
      made.append(drawing(column.chart), element('span', column.chart.range, 'range'));
    return made;
  }

  /** @param {any} row */
  function line(row) {
    const made = element('tr');
    row.cells.forEach((/** @type {any} */ cell, /** @type {number} */ index) => {
      const isLink = index === 0 && row.place !== undefined;
      const td = element('td', isLink ? undefined : cell.text, cell.state);
      if (isLink) td.append(button(cell.text, { type: 'open', place: row.place }, row.label));
      made.append(td);
    });
    return made;
  }

  /** @param {any} state */
  function draw(state) {
    const focused = document.activeElement?.id;
    choose.replaceChildren(
      ...state.tables.map((/** @type {any} */ { id, title }) => {
        const option = /** @type {HTMLOptionElement} */ (element('option', title));
        option.value = id;
        return option;
      }),
    );
    choose.value = state.selected;
    if (document.activeElement !== filter) filter.value = state.filter;
    show.hidden = !state.isTrace;
    remarks.replaceChildren(
      ...state.remarks.map((/** @type {any} */ { text, isBad }) =>
        element('li', text, isBad ? 'bad' : ''),
      ),
    );
    count.textContent = state.count;
    const titles = element('tr');
    titles.append(...state.columns.map(header));
    head.replaceChildren(titles);
    body.replaceChildren(...state.rows.map(line));
    // The button that was pressed has been drawn anew.
    if (focused?.startsWith('sort-')) document.getElementById(focused)?.focus();
  }

  choose.addEventListener('change', () => vscode.postMessage({ type: 'select', id: choose.value }));
  filter.addEventListener('input', () =>
    vscode.postMessage({ type: 'filter', text: filter.value }),
  );
  show.addEventListener('click', () => vscode.postMessage({ type: 'show' }));
  window.addEventListener('message', ({ data }) => draw(data));
  vscode.postMessage({ type: 'ready' });
})();
