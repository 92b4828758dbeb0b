import { html, type Html, type Part } from '../html.ts';

/** A share from 0 to 1 as a bar, with its value. */
export function bar(share: number, label: Part): Html {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width="${width}" height="8" /></svg
    ><span class="count">${label}</span>`;
}

/** A value that is drawn as a bar, with its name. */
export interface BarRow {
  readonly name: Part;
  /** From 0 to 1. */
  readonly share: number;
  readonly label: Part;
}

/** Values as bars below each other. */
export function barTable(rows: readonly BarRow[]): Html {
  return html`<table class="bars">
    <tbody>
      ${rows.map(
        ({ name, share, label }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${bar(share, label)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A table that scrolls by itself where it is wider than the page; rows whose numbers are in `lit` are lit. */
export function wideTable(
  head: readonly Part[],
  rows: readonly (readonly Part[])[],
  lit: ReadonlySet<number> = new Set(),
): Html {
  return scrolling(
    html`<tr>
      ${head.map((text) => (String(html`${text}`) === '' ? html`<td></td>` : html`<th>${text}</th>`))}
    </tr>`,
    rows.map(
      (cells, at) => html`<tr${lit.has(at) && html` class="lit"`}>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`,
    ),
  );
}

/** A table of rows, which scrolls by itself where it is wider than the page. */
export function scrolling(head: Part, rows: readonly Part[]): Html {
  return html`<div class="wide" tabindex="0">
    <table>
      <thead>
        ${head}
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
