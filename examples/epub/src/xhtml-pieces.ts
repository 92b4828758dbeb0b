import { plainText } from './plain-text.ts';

/** A heading with its level, or a paragraph. */
export interface Piece {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6 | null;
  /** One line, not empty. */
  readonly text: string;
}

const BLOCKS = /<(\/?)(h[1-6]|p|li|div|section|article|blockquote|pre|td|th|dt|dd|figcaption|br|hr|body)\b[^>]*>/gi;
const UNSEEN = /<!--[\s\S]*?-->|<(script|style|head)\b[\s\S]*?<\/\1\s*>/gi;

/** The headings and paragraphs of a chapter, in order: the text between block-level tags. */
export function piecesOf(xhtml: string): readonly Piece[] {
  const seen = xhtml.replaceAll(UNSEEN, ' ');
  const pieces: Piece[] = [];
  let level: Piece['level'] = null;
  let from = 0;
  const take = (to: number): void => {
    const text = plainText(seen.slice(from, to).replaceAll(/<[^>]*>/g, ''));
    if (text !== '') pieces.push({ level, text });
  };
  for (const { 0: tag, 1: closing, 2: name = '', index } of seen.matchAll(BLOCKS)) {
    take(index);
    from = index + tag.length;
    const heading = /^h([1-6])$/i.exec(name)?.[1];
    if (heading !== undefined) level = closing === '' ? (Number(heading) as Piece['level']) : null;
  }
  take(seen.length);
  return pieces;
}
