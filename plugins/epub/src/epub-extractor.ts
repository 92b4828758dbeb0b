import { decodePage, localName, openArchive, readHtml, readXml, type Archive } from '@kebab/formats-kit';
import { DocumentBuilder, invalidInput, markdownExtractor, type ExtractWarning, type Extractor } from '@kebab/plugin';

/** Files that are no chapter, whatever the manifest says; a chapter may have any name. */
const NOT_TEXT = /\.(?:jpe?g|png|gif|webp|avif|bmp|svgz?|css|js|ttf|otf|woff2?|mp[34]|m4[av]|og[ga]|pdf)$/i;

/**
 * Creates the extractor `epub`: the chapters of a book in reading order, cited as `#chapter=3`, numbered by their order in the book. A chapter
 * that is encrypted or missing is named in a warning.
 */
export function createEpubExtractor(): Extractor {
  return markdownExtractor({
    id: 'epub',
    version: '2',
    extensions: ['epub'],
    toMarkdown: async (bytes) => {
      const archive = await openArchive(bytes, (name) => !NOT_TEXT.test(name));
      const files = new BookFiles(archive);
      const opf = await packagePath(files);
      const { chapters, title, lang } = await readPackage(files.text(opf) ?? '', opf);
      const encrypted = await encryptedFiles(files);
      const document = new DocumentBuilder();
      const warnings: ExtractWarning[] = [];
      for (const [at, name] of chapters.entries()) {
        const chapter = files.bytes(name);
        const reason = encrypted.has(name.toLowerCase()) ? 'is encrypted' : chapter === undefined ? 'is missing' : null;
        if (chapter === undefined || reason !== null)
          warnings.push({ kind: 'extract_failed', note: `chapter ${at + 1} (${name}) ${reason ?? 'is missing'}` });
        else {
          const decoded = decodePage(chapter);
          for (const { kind, note } of decoded.warnings) warnings.push({ kind, note: `chapter ${at + 1}: ${note}` });
          await readHtml(decoded.text, document.at({ chapter: at + 1 }), { isXhtml: true });
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

  text(name: string): string | undefined {
    const bytes = this.bytes(name);
    return bytes === undefined ? undefined : decodePage(bytes).text;
  }
}

/** The path of the package document. Errors: `invalid_input` if the book does not name it. */
async function packagePath(files: BookFiles): Promise<string> {
  let path: string | undefined;
  await readXml(files.text('META-INF/container.xml') ?? '', {
    onOpen: (name, attributes) => {
      if (localName(name) === 'rootfile') path ??= attributes['full-path'];
    },
  });
  if (path !== undefined && files.bytes(path) !== undefined) return path;
  throw invalidInput('the book does not say where its chapters are');
}

/** The paths, in lower case, of the files that `META-INF/encryption.xml` says are encrypted. */
async function encryptedFiles(files: BookFiles): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  await readXml(files.text('META-INF/encryption.xml') ?? '', {
    onOpen: (name, { URI = '' }) => {
      if (localName(name) === 'CipherReference') for (const path of resolved(URI, '')) paths.add(path.toLowerCase());
    },
  });
  return paths;
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
      open = localName(name);
      if (open === 'itemref' && spine.length < MAX_CHAPTERS) spine.push(idref);
      else if (open === 'item') files.set(id, href);
    },
    onText: (text) => {
      if (open === 'title') title += text;
      if (open === 'language') language += text;
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
