import { decodeText, markdownExtractor, type Extractor } from '@kebab/plugin';

/** A line that begins a section, with its heading as the first group. */
const HEADING = /^== +(\S.*?) +==$/gm;

/** What a user can set. */
export interface Settings {
  readonly headings: boolean;
}

/** Makes the extractor: text between blank lines as paragraphs, under the headings that stand on lines of their own. */
export function createExtractor({ headings }: Settings): Extractor {
  return markdownExtractor({
    id: '{{id}}',
    extensions: ['{{id}}'],
    fingerprint: () => `headings=${headings}`,
    toMarkdown: (bytes) => {
      const { text, warnings } = decodeText(bytes);
      return { markdown: headings ? text.replaceAll(HEADING, '# $1') : text, warnings };
    },
  });
}
