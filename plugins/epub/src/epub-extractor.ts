import { openArchive, readHtml } from '@kebab/formats-kit';
import { DocumentBuilder, invalidInput, markdownExtractor, type Extractor } from '@kebab/plugin';
import { readPackage } from './read-package.ts';

const WANTED = /\.(?:x?html?|opf|xml)$/i;

/** Makes the extractor `epub`: the chapters of a book in reading order, cited as `#chapter=3`, counted as the book lists them. */
export function createEpubExtractor(): Extractor {
  return markdownExtractor({
    id: 'epub',
    extensions: ['epub'],
    toMarkdown: async (bytes) => {
      const archive = await openArchive(bytes, (name) => WANTED.test(name));
      const container = archive.text('META-INF/container.xml');
      const opf = /<rootfile\b[^>]*?\bfull-path\s*=\s*["']([^"']{1,1000})["']/i.exec(container)?.[1];
      if (opf === undefined || archive.bytes(opf) === undefined)
        throw invalidInput('the book does not say where its chapters are');
      const { chapters, title, lang } = await readPackage(archive.text(opf), opf);
      const document = new DocumentBuilder();
      for (const [at, name] of chapters.entries()) await readHtml(archive.text(name), document.at({ chapter: at + 1 }));
      return document.build({ title, ...(lang === null ? {} : { lang }) });
    },
  });
}
