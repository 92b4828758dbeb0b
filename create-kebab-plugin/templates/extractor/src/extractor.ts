import { decodeText, markdownExtractor, type Extractor } from '@kebab/plugin';

/** A heading line; the first group is the heading. */
const HEADING = /^== +(\S.*?) +==$/gm;

/** The settings of a user. */
export interface Settings {
  readonly headings: boolean;
}

/** Creates the extractor: paragraphs separated by blank lines, under headings on lines of their own. */
export function createExtractor({ headings }: Settings): Extractor {
  return markdownExtractor({
    id: '{{id}}',
    extensions: ['{{id}}'],
    fingerprint: () => `headings=${headings}`,
    toMarkdown: async (bytes) => {
      const { text, warnings } = await decodeText(bytes);
      return { markdown: headings ? text.replaceAll(HEADING, '# $1') : text, warnings };
    },
  });
}
