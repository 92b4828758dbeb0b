import { readXml } from '@kebab/formats-kit';

/** What a book says of itself. */
interface BookPackage {
  /** The files of its chapters in reading order. */
  readonly chapters: readonly string[];
  /** Empty where it says none. */
  readonly title: string;
  /** An ISO 639 code; null where it says none. */
  readonly lang: string | null;
}

const MAX_CHAPTERS = 5000;

/** Reads the package document of a book, which lies at `path` in its archive. */
export async function readPackage(opf: string, path: string): Promise<BookPackage> {
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
    return []; // a name that no path can have
  }
}
