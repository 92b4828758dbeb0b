import { readXml, openArchive, readHtml } from '@kebab/formats-kit';
import { DocumentBuilder, invalidInput, markdownExtractor, type Extractor } from '@kebab/plugin';

const WANTED = /\.(?:x?html?|opf|xml)$/i;

/** Creates the extractor `epub`: the chapters of a book in reading order, cited as `#chapter=3`, numbered by their order in the book. */
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

/** The metadata of a book. */
interface BookPackage {
  /** The files of its chapters in reading order. */
  readonly chapters: readonly string[];
  /** Empty if there is none. */
  readonly title: string;
  /** An ISO 639 code; null if there is none. */
  readonly lang: string | null;
}

const MAX_CHAPTERS = 5000;

/** Reads the package document of a book, at `path` in its archive. */
async function readPackage(opf: string, path: string): Promise<BookPackage> {
  const files = new Map<string, string>();
  const spine: string[] = [];
  let [title, language, open] = ['', '', ''];
  await readXml(opf, {
    onOpen: (name, { id = '', href = '', idref = '' }) => {
      open = name;
      if (name.endsWith('itemref') && spine.length < MAX_CHAPTERS) spine.push(idref);
      else if (name.endsWith('item')) files.set(id, href);
    },
    onText: (text) => {
      if (open === 'dc:title') title += text;
      if (open === 'dc:language') language += text;
    },
    onClose: () => (open = ''),
  });
  return {
    chapters: spine.flatMap((id) => resolved(files.get(id), path)),
    title: title.replaceAll(/\s+/g, ' ').trim(),
    lang: /^[a-z]{2,3}(?=-|$)/.exec(language.trim().toLowerCase())?.[0] ?? null,
  };
}

function resolved(href: string | undefined, from: string): readonly string[] {
  if (href === undefined || href === '') return [];
  try {
    return [decodeURIComponent(new URL(href, `zip:/${from}`).pathname).replace(/^\//, '')];
  } catch {
    return []; // an invalid path
  }
}
