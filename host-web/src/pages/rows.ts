import type { InspectedBlock } from '@kebab/core/app';
import { documentHref, type PlaceAddress } from '../address.ts';
import { html, type Html } from '../html.ts';
import { overlaps, type BlockContext } from './blocks.ts';
import { inline } from './inline.ts';
import { scrolling } from './tables.ts';

/** How the rows of a sheet are shown. */
export interface RowsContext extends BlockContext {
  readonly place: PlaceAddress;
  /** The number of the first cited block of the document. */
  readonly firstCited: number;
}

/** The sheet, as an anchor without its row, of a block that is a row of a sheet; null for other blocks. */
export function sheetOf({ kind, source_span: span }: InspectedBlock): string | null {
  if (kind !== 'table' || span.kind !== 'anchor') return null;
  const [, sheet] = /^(.*?)&?row=[^&]*$/s.exec(span.anchor) ?? [];
  return sheet ?? null;
}

/** The rows of a sheet from the first one to show, and before the last, as one table; each has a link to it, and the cited ones are lit. */
export function rowsMarkup(
  all: readonly InspectedBlock[],
  { first, last }: { readonly first: number; readonly last: number },
  context: RowsContext,
): Html {
  const sheet = sheetOf(all[first] as InspectedBlock);
  let head = first; // has the names of the columns
  while (head > 0 && sheetOf(all[head - 1] as InspectedBlock) === sheet) head--;
  let end = first;
  while (end < last && sheetOf(all[end] as InspectedBlock) === sheet) end++;
  let names: readonly string[] = [];
  const rows: Html[] = [];
  for (let at = head; at < end; at++) {
    const [row, next] = [all[at] as InspectedBlock, all[at + 1]];
    const cells = cellsOf(row);
    const named = inColumns(cells, names);
    const isHead = named === null && next !== undefined && inColumns(cellsOf(next), cells) !== null;
    if (isHead) names = cells;
    if (at === head || at >= first) rows.push(rowMarkup(row, named ?? cells, { ...context, isHead }));
  }
  return scrolling(rows[0], rows.slice(1));
}

function cellsOf({ payload }: InspectedBlock): readonly string[] {
  const { headers = [] } = payload as { readonly headers?: readonly string[] };
  return headers;
}

/** Cells such as `amount: 37` without the names, each in the column of its name; a cell of no column follows the one before it. Null without names. */
function inColumns(cells: readonly string[], names: readonly string[]): readonly string[] | null {
  const row: string[] = [];
  let isNamed = false;
  for (const cell of cells) {
    const at = names.findIndex((name, column) => column >= row.length && name !== '' && cell.startsWith(`${name}: `));
    if (at === -1) row.push(cell);
    else row[at] = cell.slice((names[at]?.length ?? 0) + 2);
    isNamed ||= at !== -1;
  }
  if (!isNamed) return null;
  return Array.from({ length: Math.max(row.length, names.length) }, (_, column) => row[column] ?? '');
}

function rowMarkup(
  block: InspectedBlock,
  cells: readonly string[],
  context: RowsContext & { readonly isHead: boolean },
): Html {
  const { place, cited, firstCited, isHead } = context;
  const anchor = block.source_span.kind === 'anchor' ? block.source_span.anchor : '';
  const here = { ...place, at: anchor, pin: undefined, chunk: undefined, from: undefined };
  const isLit = overlaps({ start: block.text_start, end: block.text_end }, cited);
  const id = block.ordinal === firstCited ? 'cited' : `b${block.ordinal}`;
  return html`<tr id="${id}" ${isLit && html` class="lit"`}>
    <th class="n" scope="row"><a href="${documentHref(here)}">${anchor.replace(/^.*row=/s, '')}</a></th>
    ${cells.map((cell) => {
      const text = inline(cell.slice(0, MAX_CELL), context);
      return isHead ? html`<th scope="col">${text}</th>` : html`<td>${text}</td>`;
    })}
  </tr>`;
}

const MAX_CELL = 2000;
