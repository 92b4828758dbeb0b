import { strToU8, zipSync } from 'fflate';

const NS =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** A shape with lines of text, of a type of placeholder if that is not empty. */
export const shape = (type: string, ...lines: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${type === '' ? '' : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${lines
    .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`;
/** A slide. */
export const slide = (...shapes: readonly string[]): Uint8Array =>
  strToU8(`<p:sld ${NS}><p:cSld><p:spTree>${shapes.join('')}</p:spTree></p:cSld></p:sld>`);
/** The relationships of a part. */
export const rels = (...all: readonly (readonly [string, string, string])[]): Uint8Array =>
  strToU8(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
      .map(([id, type, target]) => `<Relationship Id="${id}" Type="${R}/${type}" Target="${target}"/>`)
      .join('')}</Relationships>`,
  );

/** A presentation whose second file is shown first, with optional additional files. */
export function presentation(more: Readonly<Record<string, Uint8Array>> = {}): Uint8Array {
  return zipSync({
    'ppt/presentation.xml': strToU8(
      `<p:presentation ${NS}><p:sldIdLst><p:sldId id="256" r:id="b"/><p:sldId id="257" r:id="a"/></p:sldIdLst></p:presentation>`,
    ),
    'ppt/_rels/presentation.xml.rels': rels(
      ['a', 'slide', 'slides/slide1.xml'],
      ['b', 'slide', '/ppt/slides/slide2.xml'],
    ),
    'ppt/slides/slide1.xml': slide(
      shape('title', 'Fees &amp; dues'),
      shape('', 'Tugs pay twelve.', 'Ferries pay less.'),
    ),
    'ppt/slides/slide2.xml': slide(shape('ctrTitle', 'Harbour plan'), shape('subTitle', 'For 2027')),
    'ppt/slides/_rels/slide1.xml.rels': rels(['n', 'notesSlide', '../notesSlides/notesSlide1.xml']),
    'ppt/notesSlides/notesSlide1.xml': slide(shape('body', 'Mention the discount.'), shape('sldNum', '2')),
    ...more,
  });
}
