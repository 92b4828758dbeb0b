import { invalidInput } from '@kebab/plugin';
import { strFromU8, unzipSync, type Unzipped } from 'fflate';
import { plainText } from './plain-text.ts';

/** A book: the metadata of its package, and its chapters as XHTML in reading order. */
export interface Book {
  /** Empty if there is none. */
  readonly title: string;
  readonly author: string | null;
  /** ISO 639-1, without a region. */
  readonly lang: string | null;
  readonly chapters: readonly string[];
}

/** Reads a book. Throws `invalid_input` for a file that is not an EPUB, is damaged, or unpacks to more than `maxBytes`. */
export function readBook(bytes: Uint8Array, maxBytes: number): Book {
  const files = unpack(bytes, maxBytes);
  const container = fileOf(files, 'META-INF/container.xml');
  const packagePath = attribute(/<rootfile\b[^>]*>/.exec(container)?.[0] ?? '', 'full-path');
  const book = fileOf(files, packagePath);
  const hrefs = new Map(
    elements(book, 'item').map((item) => [attribute(item, 'id'), decodeURIComponent(attribute(item, 'href'))] as const),
  );
  const folder = packagePath.slice(0, packagePath.lastIndexOf('/') + 1);
  const chapters = elements(book, 'itemref').flatMap((item) => {
    const href = hrefs.get(attribute(item, 'idref'));
    return href === undefined ? [] : [fileOf(files, `${folder}${href}`)];
  });
  const lang = dublinCore(book, 'language')?.slice(0, 2).toLowerCase() ?? null;
  return { title: dublinCore(book, 'title') ?? '', author: dublinCore(book, 'creator'), lang, chapters };
}

function unpack(bytes: Uint8Array, maxBytes: number): Unzipped {
  let unpacked = 0;
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/\.(?:xml|opf|xhtml|html|htm)$/i.test(name)) return false;
        unpacked += originalSize;
        if (unpacked > maxBytes) throw new RangeError(`it holds more than ${maxBytes} bytes of text`);
        return true;
      },
    });
  } catch (error) {
    throw notABook(error instanceof Error ? error.message : String(error));
  }
}

function fileOf(files: Unzipped, name: string): string {
  const bytes = files[name];
  if (bytes === undefined) throw notABook(`it lacks ${name === '' ? 'a package' : name}`);
  return strFromU8(bytes);
}

function elements(xml: string, name: string): readonly string[] {
  return xml.match(new RegExp(`<(?:\\w+:)?${name}\\b[^>]*>`, 'g')) ?? [];
}

function attribute(tag: string, name: string): string {
  const [, , value = ''] = new RegExp(`\\b${name}\\s*=\\s*(["'])(.*?)\\1`).exec(tag) ?? [];
  return plainText(value);
}

/** The Dublin Core metadata of the package under a name; null when it is missing. */
function dublinCore(book: string, name: string): string | null {
  const [, content = ''] = new RegExp(`<dc:${name}\\b[^>]*>([^<]*)<`).exec(book) ?? [];
  const text = plainText(content);
  return text === '' ? null : text;
}

function notABook(why: string): Error {
  return invalidInput(`the file is not an EPUB that can be read: ${why}`);
}
