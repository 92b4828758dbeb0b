import {
  alternativeText,
  bodyLines,
  childAt,
  childrenOf,
  descendantsOf,
  mainPart,
  markdownTable,
  openArchive,
  ownText,
  parseXml,
  relationId,
  relationshipsOf,
  writeFigures,
  type Archive,
  type PartRelationship,
  type XmlElement,
} from '@kebab/formats-kit';
import { DocumentBuilder, invalidInput, markdownExtractor, type ExtractWarning, type Extractor } from '@kebab/plugin';

const WANTED = /\.(?:xml|rels)$/i;
/** Parts of the look of slides. */
const UNREAD = /^ppt\/(?:theme|slideMasters|slideLayouts|embeddings|fonts)\//;

/**
 * Creates the extractor `pptx`: the texts of each slide with its diagrams, charts, notes and comments, cited as `#slide=3`; the title of a slide
 * is its heading, and that of the first slide the title. A slide that cannot be read is named in a warning.
 */
export function createPptxExtractor(): Extractor {
  return markdownExtractor({
    id: 'pptx',
    version: '5',
    extensions: ['pptx', 'pptm'],
    toMarkdown: async (bytes) => {
      const archive = await openArchive(bytes, (name) => WANTED.test(name) && !UNREAD.test(name));
      const presentation = await mainPart(archive, 'ppt/presentation.xml');
      if (archive.bytes(presentation) === undefined) throw invalidInput('the file is not a presentation');
      const authors = await authorsOf(archive);
      const document = new DocumentBuilder();
      const warnings: ExtractWarning[] = [];
      let title = '';
      for (const [at, slide] of (await slidesOf(archive, presentation)).entries()) {
        const reason = archive.damaged.includes(slide) ? 'its part is damaged' : 'its part is missing';
        if (archive.bytes(slide) === undefined)
          warnings.push({ kind: 'extract_failed', note: `slide ${at + 1} was not read: ${reason}` });
        else {
          const own = await new SlideReader(archive, document.at({ slide: at + 1 })).read(slide, authors);
          if (at === 0) title = own;
        }
      }
      return document.build({ warnings, title });
    },
  });
}

/** The files of the slides in the order in which they are shown. */
async function slidesOf(archive: Archive, presentation: string): Promise<readonly string[]> {
  const files = new Map((await relationshipsOf(archive, presentation)).map(({ id, target }) => [id, target]));
  const ids = descendantsOf(await parseXml(archive.text(presentation)), 'sldId');
  return ids.map((slide) => files.get(relationId(slide)) ?? '');
}

/** The names of those who comment, by id. */
async function authorsOf(archive: Archive): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const part of ['ppt/commentAuthors.xml', 'ppt/authors.xml']) {
    const root = await parseXml(archive.text(part));
    for (const { attributes } of [...descendantsOf(root, 'cmAuthor'), ...descendantsOf(root, 'author')])
      names.set(attributes['id'] ?? '', attributes['name'] ?? '');
  }
  return names;
}

/** Placeholders whose text is not of the slide. */
const FIELDS = new Set(['sldNum', 'sldImg']);
const FIELDS_OF_NOTES = new Set([...FIELDS, 'dt', 'hdr', 'ftr']);

/** Writes a slide. */
class SlideReader {
  readonly #archive: Archive;
  readonly #document: DocumentBuilder;
  #parts: readonly PartRelationship[] = [];
  #title = '';

  constructor(archive: Archive, document: DocumentBuilder) {
    this.#archive = archive;
    this.#document = document;
  }

  /** Returns the title of the slide; empty if it has none. */
  async read(slide: string, authors: ReadonlyMap<string, string>): Promise<string> {
    this.#parts = await relationshipsOf(this.#archive, slide);
    await this.#shapes(await this.#part(slide));
    for (const { target } of this.#parts.filter(({ type }) => type === 'notesSlide'))
      for (const shape of descendantsOf(await this.#part(target), 'sp'))
        if (!FIELDS_OF_NOTES.has(placeholderOf(shape) ?? '')) this.#document.quote(bodyOf(shape));
    for (const { target } of this.#parts.filter(({ type }) => type === 'comments'))
      for (const comment of descendantsOf(await this.#part(target), 'cm')) {
        this.#comment(comment, authors);
        for (const reply of descendantsOf(comment, 'reply')) this.#comment(reply, authors);
      }
    return this.#title;
  }

  async #part(name: string): Promise<XmlElement> {
    return parseXml(this.#archive.text(name));
  }

  /** Shapes in groups are shapes like others. */
  async #shapes(element: XmlElement): Promise<void> {
    for (const child of childrenOf(element)) {
      if (child.name === 'sp' || child.name === 'cxnSp') this.#shape(child);
      else if (child.name === 'graphicFrame') await this.#frame(child);
      else if (child.name === 'pic') this.#document.paragraph(alternativeText(childAt(child, 'nvPicPr', 'cNvPr')));
      else await this.#shapes(child);
    }
  }

  #shape(shape: XmlElement): void {
    const placeholder = placeholderOf(shape);
    const text = bodyOf(shape);
    if (placeholder === 'title' || placeholder === 'ctrTitle') {
      this.#title ||= text.replaceAll(/\s+/g, ' ');
      this.#document.heading(2, text);
    } else if (!FIELDS.has(placeholder ?? '')) this.#document.paragraph(text);
  }

  async #frame(frame: XmlElement): Promise<void> {
    for (const table of descendantsOf(frame, 'tbl')) {
      const rows = childrenOf(table, 'tr').map((row) => childrenOf(row, 'tc').map((cell) => bodyLines(cell).join(' ')));
      this.#document.table(markdownTable(rows));
    }
    await writeFigures(this.#document, frame, { archive: this.#archive, parts: this.#parts });
  }

  /** Of comments of newer programs, the text is a body like that of a shape. */
  #comment(comment: XmlElement, authors: ReadonlyMap<string, string>): void {
    const body = childAt(comment, 'txBody');
    const text = body === undefined ? ownText(childAt(comment, 'text') ?? comment) : bodyLines(body).join('\n');
    const author = authors.get(comment.attributes['authorId'] ?? '') ?? '';
    if (text.trim() !== '') this.#document.quote(`Comment${author === '' ? '' : ` by ${author}`}: ${text.trim()}`);
  }
}

/** The kind of placeholder that a shape fills; undefined if it fills none. */
function placeholderOf(shape: XmlElement): string | undefined {
  const placeholder = descendantsOf(childrenOf(shape)[0] ?? shape, 'ph')[0];
  return placeholder && (placeholder.attributes['type'] ?? '');
}

function bodyOf(shape: XmlElement): string {
  const body = childAt(shape, 'txBody');
  return body === undefined ? '' : bodyLines(body).join('\n').trim();
}
