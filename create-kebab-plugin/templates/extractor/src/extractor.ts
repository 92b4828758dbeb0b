import { decodeText, paragraphsOf, type BlockDraft, type Extractor } from '@kebab/core';

/** File names that end in one of these are read; lower case, without the dot. */
const EXTENSIONS: readonly string[] = ['{{id}}'];
/** The line that begins a section, with its heading as the first group. */
const HEADING = /^== +(\S.*?) +==$/;

/** What a user can set. */
export interface Settings {
  readonly headings: boolean;
}

/** Makes the extractor: text between blank lines as paragraphs, under the headings that stand on lines of their own. */
export function createExtractor({ headings }: Settings): Extractor {
  return {
    id: '{{id}}',
    version: '1',
    match: { extensions: EXTENSIONS },
    isolation: 'worker',
    fingerprint: () => `headings=${headings}`,
    supports: (media) => media.kind === 'other' && EXTENSIONS.includes(media.ext),
    parserVersion: () => '{{id}}-v1',
    chunkerId: () => 'md-heading-v1',
    extract: async ({ bytes }) => {
      const { text, warnings } = decodeText(bytes);
      return { text, warnings, blocks: blocksOf(text, headings ? HEADING : null) };
    },
  };
}

/** Blocks in order, disjoint, and covering everything but white space: what the contract asks for. */
function blocksOf(text: string, pattern: RegExp | null): readonly BlockDraft[] {
  let headingPath: readonly string[] = [];
  return paragraphsOf(text).flatMap(({ start, end, firstLine, lastLine }): readonly BlockDraft[] => {
    const newline = text.indexOf('\n', start);
    const lineEnd = newline === -1 || newline > end ? end : newline;
    const heading = pattern?.exec(text.slice(start, lineEnd))?.[1];
    if (heading === undefined)
      return [
        { kind: 'paragraph', start, end, headingPath, sourceSpan: { kind: 'line', start: firstLine, end: lastLine } },
      ];
    const span = { kind: 'line', start: firstLine, end: firstLine } as const;
    const block: BlockDraft = {
      kind: 'heading',
      level: 1,
      text: heading,
      start,
      end: lineEnd,
      headingPath: [],
      sourceSpan: span,
    };
    headingPath = [heading];
    if (lineEnd === end) return [block];
    const rest = { kind: 'line', start: firstLine + 1, end: lastLine } as const;
    return [block, { kind: 'paragraph', start: lineEnd + 1, end, headingPath, sourceSpan: rest }];
  });
}
