import { openArchive, readHtml } from '@kebab/formats-kit';
import { DocumentBuilder, invalidInput, markdownExtractor, type Extractor } from '@kebab/plugin';

/** Parts of a document with text or styles; pictures and fonts are not unpacked. */
const WANTED = /\.(?:xml|rels)$/i;
/** The maximum depth of elements: far more than Word produces; the parser's time is quadratic in it. */
const MAX_DEPTH = 500;

/** Creates the extractor `docx`: headings, paragraphs, lists, tables and footnotes, cited as `#section=opening-hours`. */
export function createDocxExtractor(): Extractor {
  return markdownExtractor({
    id: 'docx',
    extensions: ['docx', 'docm'],
    toMarkdown: async (bytes) => {
      const archive = await openArchive(bytes, (name) => WANTED.test(name));
      if (archive.bytes('[Content_Types].xml') === undefined) throw invalidInput('the file is not a Word document');
      for (const name of archive.names) refuseDeep(archive.text(name));
      const { default: mammoth } = await import('mammoth');
      const { value: html } = await mammoth
        .convertToHtml({ buffer: Buffer.from(archive.repacked()) }, { externalFileAccess: false })
        .catch((error: unknown) => {
          throw invalidInput(`the document cannot be read: ${error instanceof Error ? error.message : String(error)}`);
        });
      const document = new DocumentBuilder();
      await readHtml(html, document);
      return document.build();
    },
  });
}

function refuseDeep(xml: string): void {
  let depth = 0;
  for (const [tag, closes] of xml.matchAll(/<(\/?)[A-Za-z_][^<>]*>/g)) {
    if (closes === '/') depth--;
    else if (!tag.endsWith('/>') && ++depth > MAX_DEPTH) throw invalidInput('the document is nested too deep');
  }
}
