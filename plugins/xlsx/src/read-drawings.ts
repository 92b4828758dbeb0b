import {
  bodyLines,
  chartTables,
  childAt,
  childrenOf,
  descendantsOf,
  ownText,
  parseXml,
  relationshipsOf,
  type Archive,
} from '@kebab/formats-kit';

/** A text that lies over the cells of a sheet. */
export interface DrawnText {
  /** The row at its top. */
  readonly row: number;
  readonly text: string;
}

/** The text boxes of a sheet, and the titles of its charts with the names of series that are in no cell, as values are. */
export async function drawingsOn(archive: Archive, sheet: string): Promise<readonly DrawnText[]> {
  const texts: DrawnText[] = [];
  for (const { target } of (await relationshipsOf(archive, sheet)).filter(({ type }) => type === 'drawing')) {
    const parts = await relationshipsOf(archive, target);
    for (const anchor of childrenOf(await parseXml(archive.text(target))).flatMap((root) => childrenOf(root))) {
      const from = childAt(anchor, 'from', 'row');
      const row = from === undefined ? 1 : Number(ownText(from)) + 1 || 1;
      const lines = descendantsOf(anchor, 'txBody').map((body) => bodyLines(body).join('\n'));
      for (const { attributes } of descendantsOf(anchor, 'chart')) {
        const chart = parts.find(({ id }) => id === attributes['id'])?.target;
        if (chart === undefined) continue;
        const root = await parseXml(archive.text(chart));
        lines.push(...(await chartTables(root)).titles);
        lines.push(
          ...descendantsOf(root, 'tx').flatMap((name) => childrenOf(name, 'v').map((words) => ownText(words))),
        );
      }
      for (const text of lines) if (text.trim() !== '') texts.push({ row, text });
    }
  }
  return texts;
}
