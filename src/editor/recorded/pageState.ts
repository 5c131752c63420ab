import * as l10n from '@vscode/l10n';
import { chartOf, HEIGHT, WIDTH, type Chart } from './chart';
import { chosenRows, type Choice, type Row, type Table } from './table';

/** The maximum number of rows that the page draws at once. */
export const MAX_SHOWN = 500;

/** Returns what the page draws of a table. The page gets the place of a row as its index among the shown rows. */
export function tableState(table: Table, choice: Choice) {
  const rows = chosenRows(table, choice);
  const shown = rows.slice(0, MAX_SHOWN);
  return {
    columns: table.columns.map((title, index) => ({
      title,
      label: l10n.t('Sort by {0}', title),
      sort: sortOf(choice, index),
      chart: index === 0 ? undefined : chartState(title, chartOf(rows, index)),
    })),
    rows: shown.map(({ cells, place }, index) => ({
      cells,
      ...(place && {
        place: index,
        label: l10n.t('{0}: go to line {1}', cells[0]?.text ?? '', place.line),
      }),
    })),
    remarks: table.remarks,
    count: countText(table.rows.length, rows.length, shown.length),
    places: placesOf(shown),
  };
}

function placesOf(rows: readonly Row[]): readonly Row['place'][] {
  return rows.map(({ place }) => place);
}

function sortOf({ sorted }: Choice, column: number): 'none' | 'ascending' | 'descending' {
  if (sorted?.column !== column) return 'none';
  return sorted.isDown ? 'descending' : 'ascending';
}

/** The order of a click on a column: ascending, descending, and then as it was recorded. */
export function nextSorted({ sorted }: Choice, column: number): Choice['sorted'] {
  if (sorted?.column !== column) return { column, isDown: false };
  return sorted.isDown ? undefined : { column, isDown: true };
}

function chartState(title: string, chart: Chart | undefined) {
  if (chart === undefined) return undefined;
  const { lines, least, most, values } = chart;
  return {
    ...{ lines, width: WIDTH, height: HEIGHT },
    range: `${least} … ${most}`,
    label: l10n.t('{0}: {1} values from {2} to {3}', title, values, least, most),
  };
}

function countText(all: number, found: number, shown: number): string {
  if (shown < found) return l10n.t('{0} of {1} rows; filter to see others', shown, found);
  return found < all ? l10n.t('{0} of {1} rows', found, all) : l10n.t('Rows: {0}', all);
}
