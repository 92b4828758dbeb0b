import type { Block } from '@kebab/core';

/** A run of headings and the content below it, as positions in a document's list of blocks. */
export interface Section {
  /** The position of the first block. */
  readonly from: number;
  /** The position of the first block that is not a heading; `to` for headings at the end of the document. */
  readonly contentFrom: number;
  /** The position behind the last block. */
  readonly to: number;
}

/** Divides blocks at headings; headings without content of their own belong to the section that follows. */
export function sectionsOf(blocks: readonly Block[]): readonly Section[] {
  const sections: Section[] = [];
  let from = 0;
  let contentFrom = 0;
  let at = 0;
  for (const { kind } of blocks) {
    if (kind === 'heading') {
      if (at > contentFrom) {
        sections.push({ from, contentFrom, to: at });
        from = at;
      }
      contentFrom = at + 1;
    }
    at++;
  }
  if (at > from) sections.push({ from, contentFrom, to: at });
  return sections;
}
