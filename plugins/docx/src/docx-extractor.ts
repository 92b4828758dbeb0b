import { openArchive } from '@kebab/formats-kit';
import { DocumentBuilder, invalidInput, markdownExtractor, type ExtractWarning, type Extractor } from '@kebab/plugin';
import { WordDocument } from './word-document.ts';

/** Parts of a document with text or styles; pictures and fonts are not unpacked. */
const WANTED = /\.(?:xml|rels)$/i;

/**
 * Creates the extractor `docx`: headings, paragraphs, lists with their numbers, tables, notes, comments, headers and footers, cited as
 * `#section=opening-hours`. A part that cannot be read is named in a warning.
 */
export function createDocxExtractor(): Extractor {
  return markdownExtractor({
    id: 'docx',
    version: '6',
    extensions: ['docx', 'docm'],
    toMarkdown: async (bytes) => {
      const archive = await openArchive(bytes, (name) => WANTED.test(name));
      if (archive.bytes('[Content_Types].xml') === undefined) throw invalidInput('the file is not a Word document');
      const document = new DocumentBuilder();
      const word = await WordDocument.open(archive, document);
      await word.write();
      const warnings = word.unread.map((part): ExtractWarning => ({
        kind: 'extract_failed',
        note: `part ${part} was not read`,
      }));
      return document.build({ title: word.title, warnings });
    },
  });
}
