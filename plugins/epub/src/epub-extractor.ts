import { decodePage, localName, openArchive, pathFrom, readHtml, readXml, type Archive } from '@kebab/formats-kit';
import { DocumentBuilder, invalidInput, markdownExtractor, type ExtractWarning, type Extractor } from '@kebab/plugin';

/** Files without text, which are not unpacked; a chapter may have any other name. */
const NOT_TEXT = /\.(?:jpe?g|png|gif|webp|avif|bmp|svgz|css|js|ttf|otf|woff2?|mp[34]|m4[av]|og[ga]|pdf)$/i;

/**
 * Creates the extractor `epub`: the chapters of a book in reading order, cited as `#chapter=3`, numbered by their order in the book. A chapter
 * that is encrypted, missing or a picture is named in a warning.
 */
export function createEpubExtractor(): Extractor {
  return markdownExtractor({
    id: 'epub',
    version: '6',
    extensions: ['epub'],
    toMarkdown: async (bytes) => {
      const archive = await openArchive(bytes, (name) => !NOT_TEXT.test(name));
      const files = new BookFiles(archive);
      const opf = await packagePath(files);
      const { chapters, title, lang } = await readPackage((await files.text(opf)) ?? '', opf);
      const encrypted = await encryptedFiles(files);
      const document = new DocumentBuilder();
      const warnings: ExtractWarning[] = [];
      for (const [at, { name, isText }] of chapters.entries()) {
        const chapter = files.bytes(name);
        const isReadable = chapter !== undefined && isText && !encrypted.has(name.toLowerCase());
        if (isReadable) {
          const decoded = await decodePage(chapter);
          for (const { kind, note } of decoded.warnings) warnings.push({ kind, note: `chapter ${at + 1}: ${note}` });
          await readHtml(decoded.text, document.at({ chapter: at + 1 }), { isXhtml: true });
        } else {
          const reason = encrypted.has(name.toLowerCase()) ? 'is encrypted' : isText ? 'is missing' : 'is not a text';
          warnings.push({ kind: 'extract_failed', note: `chapter ${at + 1} (${name}) ${reason}` });
        }
      }
      return document.build({ title, ...(lang === null ? {} : { lang }), warnings });
    },
  });
}

/** The files of a book by path; a path that differs only in case is found too. */
class BookFiles {
  readonly #archive: Archive;
  readonly #names: ReadonlyMap<string, string>;

  constructor(archive: Archive) {
    this.#archive = archive;
    this.#names = new Map(archive.names.map((name) => [name.toLowerCase(), name]));
  }

  bytes(name: string): Uint8Array | undefined {
    return this.#archive.bytes(name) ?? this.#archive.bytes(this.#names.get(name.toLowerCase()) ?? name);
  }

  /** The first file whose path has this end. */
  endingWith(end: string): string | undefined {
    return this.#archive.names.find((name) => name.toLowerCase().endsWith(end));
  }

  async text(name: string): Promise<string | undefined> {
    const bytes = this.bytes(name);
    return bytes === undefined ? undefined : (await decodePage(bytes)).text;
  }
}

/** The path of the package document. Errors: `invalid_input` if the book has none. */
async function packagePath(files: BookFiles): Promise<string> {
  let path: string | undefined;
  await readXml((await files.text('META-INF/container.xml')) ?? '', {
    onOpen: (name, attributes) => {
      if (localName(name) === 'rootfile') path ??= attributes['full-path'];
    },
  });
  if (path === undefined || files.bytes(path) === undefined) path = files.endingWith('.opf');
  if (path !== undefined) return path;
  throw invalidInput('the book does not say where its chapters are');
}

/** The paths, in lower case, of the files that `META-INF/encryption.xml` says are encrypted. */
async function encryptedFiles(files: BookFiles): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  await readXml((await files.text('META-INF/encryption.xml')) ?? '', {
    onOpen: (name, { URI = '' }) => {
      const path = localName(name) === 'CipherReference' && URI !== '' ? pathFrom('', URI) : null;
      if (path !== null) paths.add(path.toLowerCase());
    },
  });
  return paths;
}

/** The metadata of a book. */
interface BookPackage {
  readonly chapters: readonly BookChapter[];
  /** Empty if there is none. */
  readonly title: string;
  /** An ISO 639 code; null if there is none. */
  readonly lang: string | null;
}

/** A chapter, in reading order. */
interface BookChapter {
  /** The path of its file; its id if the book does not say which file it is. */
  readonly name: string;
  readonly isText: boolean;
}

const MAX_CHAPTERS = 5000;
const PAGE = /\.(?:x?html?|xht)$/i;
const TYPES_WITHOUT_TEXT = /^(?:image\/(?!svg)|audio\/|video\/|font\/)/i;

/** Reads the package document of a book, at `path` in its archive. */
async function readPackage(opf: string, path: string): Promise<BookPackage> {
  const files = new Map<string, BookChapter>();
  const spine: string[] = [];
  const titles: string[] = [];
  let [language, open] = ['', ''];
  await readXml(opf, {
    onOpen: (name, { id = '', href = '', idref = '', 'media-type': type = '' }) => {
      open = localName(name);
      if (open === 'title') titles.push('');
      if (open === 'itemref' && spine.length < MAX_CHAPTERS) spine.push(idref);
      const file = open === 'item' && href !== '' ? pathFrom(path, href) : null;
      if (file !== null) files.set(id, { name: file, isText: !TYPES_WITHOUT_TEXT.test(type) && !NOT_TEXT.test(file) });
    },
    onText: (text) => {
      if (open === 'title') titles[titles.length - 1] += text;
      if (open === 'language') language += text;
    },
    onClose: () => (open = ''),
  });
  // a book without a reading order is read in that of its list of files
  const pages = [...files.values()].filter(({ name, isText }) => isText && PAGE.test(name));
  return {
    chapters: spine.length > 0 ? spine.map((id) => files.get(id) ?? { name: id, isText: true }) : pages,
    title: titles.map((title) => title.replaceAll(/\s+/g, ' ').trim()).find((title) => title !== '') ?? '',
    lang: /^[a-z]{2,3}(?=-|$)/.exec(language.trim().toLowerCase())?.[0] ?? null,
  };
}
