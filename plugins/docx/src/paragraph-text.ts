import { childAt, childrenOf, mathText, ownText, type XmlElement } from '@kebab/formats-kit';
import { isHidden } from './word-styles.ts';

/** What a paragraph shows. */
export interface ParagraphText {
  readonly text: string;
  /** The text boxes and drawings at it, whose text stands apart. */
  readonly drawings: readonly XmlElement[];
  /** The footnotes, endnotes and comments that it refers to, in their order. */
  readonly notes: readonly NoteReference[];
}

/** A reference to a note at the foot of a page, at the end, or in the margin. */
export interface NoteReference {
  readonly kind: 'footnote' | 'endnote' | 'comment';
  readonly id: string;
}

/** Elements whose text is not shown: properties, deleted text, text that has moved elsewhere, instructions of fields. */
const UNREAD = new Set([
  'rPr',
  'pPr',
  'del',
  'moveFrom',
  'delText',
  'instrText',
  'delInstrText',
  'sdtPr',
  'rubyPr',
  'annotationRef',
]);
const DRAWN = new Set(['drawing', 'pict', 'object']);
const FIXED: Readonly<Record<string, string>> = { tab: ' ', ptab: ' ', cr: '\n', noBreakHyphen: '-', oMathPara: '\n' };

/** Reads the text of a paragraph; `mark` is what stands for a reference to a note. Runs in a style of `hidden` are not shown. */
export function paragraphText(
  paragraph: XmlElement,
  mark: (note: NoteReference) => string,
  hidden: ReadonlySet<string> = new Set(),
): ParagraphText {
  const parts: string[] = [];
  const drawings: XmlElement[] = [];
  const notes: NoteReference[] = [];
  let reading = '';
  const add = (text: string): void => {
    if (reading !== '' && text !== '') {
      parts.push(` (${reading})`);
      reading = '';
    }
    parts.push(text);
  };
  const read = (element: XmlElement): void => {
    const { name, attributes } = element;
    const note = /^(footnote|endnote|comment)Reference$/.exec(name)?.[1] as NoteReference['kind'] | undefined;
    if (UNREAD.has(name)) return;
    if (name === 't') add(ownText(element));
    else if (name === 'br') add(attributes['type'] === undefined || attributes['type'] === 'textWrapping' ? '\n' : ' ');
    else if (name === 'oMath') add(mathText(element));
    else if (name === 'sym') add(symbolText(attributes['char'] ?? ''));
    else if (DRAWN.has(name)) drawings.push(element);
    else if (note !== undefined) {
      const reference = { kind: note, id: attributes['id'] ?? '' };
      notes.push(reference);
      add(mark(reference));
    } else if (name === 'ruby') {
      const [base, over] = [childAt(element, 'rubyBase'), childAt(element, 'rt')];
      const before = reading;
      reading = '';
      if (base !== undefined) read(base);
      reading = `${before}${over === undefined ? '' : paragraphText(over, () => '').text}`; // of words in a row, one reading
    } else if (
      name === 'r' &&
      (isHidden(element) || hidden.has(childAt(element, 'rPr', 'rStyle')?.attributes['val'] ?? ''))
    )
      return;
    else if (name === 'ddList') add(chosenText(element));
    else {
      add(FIXED[name] ?? '');
      for (const child of childrenOf(element)) read(child);
      if (name === 'oMathPara') add('\n');
    }
  };
  for (const child of childrenOf(paragraph)) read(child);
  if (reading !== '') parts.push(` (${reading})`);
  return { text: parts.join('').trim(), drawings, notes };
}

/** The choice that a drop-down field of a form shows. */
function chosenText(list: XmlElement): string {
  const chosen = childAt(list, 'result') ?? childAt(list, 'default');
  return childrenOf(list, 'listEntry')[Number(chosen?.attributes['val'] ?? 0)]?.attributes['val'] ?? '';
}

/** A character of a font of symbols; those in the private area of such a font have no meaning in another one. */
function symbolText(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return Number.isNaN(code) || (code >= 0xe0_00 && code <= 0xf8_ff) ? '' : String.fromCodePoint(code);
}
