/** A GFM table as cells. */
export interface TableCells {
  readonly headers: readonly string[];
  /** Each row has as many cells as there are headers: missing ones are empty, surplus ones left out. */
  readonly rows: readonly (readonly string[])[];
}

/** Reads the cells of a GFM table; `\|` is a pipe inside a cell. The second line only aligns and is left out. */
export function parseTable(slice: string): TableCells {
  const [head = '', , ...body] = slice.split('\n').filter((line) => line.trim() !== '');
  const headers = cellsOf(head);
  return {
    headers,
    rows: body.map((line) => {
      const cells = cellsOf(line);
      return headers.map((_, column) => cells[column] ?? '');
    }),
  };
}

function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
}
