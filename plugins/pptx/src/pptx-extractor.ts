import { openArchive, readXml, type Archive } from '@kebab/formats-kit';
import { DocumentBuilder, invalidInput, markdownExtractor, type Extractor } from '@kebab/plugin';

const WANTED =
  /^ppt\/(?:slides|notesSlides)\/[^/]+\.xml$|^ppt\/(?:presentation\.xml|_rels\/presentation\.xml\.rels)$|^ppt\/slides\/_rels\//;

/** Creates the extractor `pptx`: the texts of each slide and its notes, cited as `#slide=3`; the title of a slide is its heading. */
export function createPptxExtractor(): Extractor {
  return markdownExtractor({
    id: 'pptx',
    extensions: ['pptx', 'pptm'],
    toMarkdown: async (bytes) => {
      const archive = await openArchive(bytes, (name) => WANTED.test(name));
      if (archive.bytes('ppt/presentation.xml') === undefined) throw invalidInput('the file is not a presentation');
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
  const slides: string[] = [];
  const onOpen = (name: string, { 'r:id': id = '' }: Readonly<Record<string, string>>): void => {
    if (name === 'p:sldId') slides.push(files.get(id) ?? '');
  };
  await readXml(archive.text('ppt/presentation.xml'), { onOpen });
  return slides;
}

/** The targets of a part's relationships, by id. */
async function relatedTo(archive: Archive, part: string, type: RegExp): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await readXml(archive.text(part.replace(/([^/]+)$/, '_rels/$1.rels')), {
    onOpen: (name, { Id: id, Type: kind = '', Target: target = '' }) => {
      if (name === 'Relationship' && id !== undefined && type.test(kind))
        found.set(id, decodeURIComponent(new URL(target, `zip:/${part}`).pathname).replace(/^\//, ''));
    },
  });
  return found;
}

/** The shapes of a slide with text, one line per paragraph. */
async function shapesOf(xml: string): Promise<readonly { readonly text: string; readonly isTitle: boolean }[]> {
  const shapes: { text: string; isTitle: boolean }[] = [];
  let [text, isTitle, isText] = ['', false, false];
  await readXml(xml, {
    onOpen: (name, { type = '' }) => {
      if (name === 'p:sp' || name === 'p:graphicFrame') [text, isTitle] = ['', false];
      if (name === 'p:ph') isTitle = type === 'title' || type === 'ctrTitle';
      if (name === 'a:br') text += '\n';
      isText = name === 'a:t';
    },
    onText: (words) => (text += isText ? words : ''),
    onClose: (name) => {
      if (name === 'a:t') isText = false;
      else if (name === 'a:p' || name === 'a:tc') text += name === 'a:p' ? '\n' : ' ';
      else if (name === 'p:sp' || name === 'p:graphicFrame') shapes.push({ text: text.trim(), isTitle });
    },
  });
  return shapes;
}
