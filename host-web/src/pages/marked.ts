import type { MarkedText } from '@kebab/core/app';
import { html, type Part } from '../html.ts';

/** A text with its matches lit. */
export function markedText({ text, matches }: MarkedText): Part {
  let from = 0;
  const parts: Part[] = [];
  for (const { start, end } of matches) {
    parts.push(text.slice(from, start), html`<mark>${text.slice(start, end)}</mark>`);
    from = end;
  }
  return [...parts, text.slice(from)];
}

/** Lights the words of a query in any text. */
export type Lighter = (text: string) => Part;

/** A longer form is a whole phrase; more forms are no longer an expression that is fast to run. */
const MAX_FORM = 80;
const MAX_FORMS = 200;

/** Lights the forms of words that were matched in passages, wherever they stand as whole words; Han, Hangul and kana anywhere. */
export function lighterFor(passages: readonly (readonly MarkedText[])[]): Lighter {
  const forms = new Set<string>();
  for (const lines of passages)
    for (const { text, matches } of lines)
      for (const { start, end } of matches) if (end - start <= MAX_FORM) forms.add(text.slice(start, end));
  const words = [...forms].slice(0, MAX_FORMS).toSorted((a, b) => b.length - a.length);
  if (words.length === 0) return (text) => text;
  const sources = words.map((word) =>
    CJK.test(word) ? quoted(word) : `(?<![\\p{L}\\p{N}])${quoted(word)}(?![\\p{L}\\p{N}])`,
  );
  const pattern = new RegExp(sources.join('|'), 'gu');
  return (text) =>
    markedText({
      text,
      matches: [...text.matchAll(pattern)].map(({ 0: word, index }) => ({
        start: index,
        end: index + word.length,
        of: word,
      })),
    });
}

const CJK = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function quoted(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
