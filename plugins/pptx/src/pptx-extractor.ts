import { openArchive, type Archive } from '@kebab/formats-kit';
import { DocumentBuilder, invalidInput, markdownExtractor, type Extractor } from '@kebab/plugin';

const WANTED =
  /^ppt\/(?:slides|notesSlides)\/[^/]+\.xml$|^ppt\/(?:presentation\.xml|_rels\/presentation\.xml\.rels)$|^ppt\/slides\/_rels\//;
const MAX_DEPTH = 500;

/** Makes the extractor `pptx`: the texts of each slide and its notes, cited as `#slide=3`; the title of a slide is its heading. */
export function createPptxExtractor(): Extractor {
  return markdownExtractor({
    id: 'pptx',
    extensions: ['pptx', 'pptm'],
    toMarkdown: async (bytes) => {
      const archive = await openArchive(bytes, (name) => WANTED.test(name));
      if (archive.bytes('ppt/presentation.xml') === undefined)
        throw invalidInput('the file is no PowerPoint presentation');
      const document = new DocumentBuilder();
      for (const [at, slide] of (await slidesOf(archive)).entries()) {
        document.at({ slide: at + 1 });
        for (const { text, isTitle } of await shapesOf(archive.text(slide)))
          if (isTitle) document.heading(2, text);
          else document.paragraph(text);
        const notes = await relatedTo(archive, slide, /notesSlide$/);
        for (const name of notes.values())
          for (const { text } of await shapesOf(archive.text(name))) if (!/^\d+$/.test(text)) document.quote(text);
      }
      return document.build();
    },
  });
}

/** The files of the slides in the order in which they are shown. */
async function slidesOf(archive: Archive): Promise<readonly string[]> {
  const files = await relatedTo(archive, 'ppt/presentation.xml', /\/slide$/);
  const ids: string[] = [];
  await eachTag(archive.text('ppt/presentation.xml'), (name, given) => {
    if (name === 'p:sldId') ids.push(given['r:id'] ?? '');
  });
  return ids.flatMap((id) => files.get(id) ?? []);
}

/** What a part of the archive refers to, by the names it uses. */
async function relatedTo(archive: Archive, part: string, type: RegExp): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await eachTag(
    archive.text(part.replace(/([^/]+)$/, '_rels/$1.rels')),
    (name, { Id: id, Type, Target: target = '' }) => {
      if (name !== 'Relationship' || id === undefined || !type.test(Type ?? '')) return;
      const path = new URL(target, `zip:/${part}`).pathname.replace(/^\//, '');
      found.set(id, decodeURIComponent(path));
    },
  );
  return found;
}

interface Shape {
  readonly text: string;
  readonly isTitle: boolean;
}

/** The shapes of a slide that hold text, a line for each paragraph. */
async function shapesOf(xml: string): Promise<readonly Shape[]> {
  const shapes: Shape[] = [];
  let [text, isTitle, isText] = ['', false, false];
  await eachTag(
    xml,
    (name, { type = '' }) => {
      if (name === 'p:sp' || name === 'p:graphicFrame') [text, isTitle] = ['', false];
      if (name === 'p:ph') isTitle = type === 'title' || type === 'ctrTitle';
      if (name === 'a:br') text += '\n';
      isText = name === 'a:t';
    },
    (name, words) => {
      if (name === 'text') text += isText ? words : '';
      else if (name === 'a:p' || name === 'a:tc') text += name === 'a:p' ? '\n' : ' ';
      else if (name === 'p:sp' || name === 'p:graphicFrame') shapes.push({ text: text.trim(), isTitle });
      if (name === 'a:t') isText = false;
    },
  );
  return shapes;
}

/** Goes through a part of the archive; `onEnd` is told of text as `text` with its words. */
async function eachTag(
  xml: string,
  onOpen: (name: string, attributes: Readonly<Record<string, string>>) => void,
  onEnd: (name: string, words: string) => void = () => {},
): Promise<void> {
  const { Parser } = await import('htmlparser2');
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > MAX_DEPTH) throw invalidInput('the presentation is nested too deep');
        onOpen(name, attributes);
      },
      ontext: (words) => onEnd('text', words),
      onclosetag: (name) => {
        depth--;
        onEnd(name, '');
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
}
