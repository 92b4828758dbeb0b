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

const CJK = String.raw`[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]`;
/** A whole word, which is looked up; a search for each form at each letter would take longer than everything else on a page. */
const WORD = String.raw`[[\p{L}\p{N}]--${CJK}]+`;
const [IS_WORD, HAS_CJK] = [new RegExp(`^${WORD}$`, 'v'), new RegExp(CJK, 'v')];

/** Lights the forms of words that were matched in passages, wherever they stand as whole words; Han, Hangul and kana anywhere. */
export function lighterFor(passages: readonly (readonly MarkedText[])[]): Lighter {
  const all = passages.flatMap((lines) =>
    lines.flatMap(({ text, matches }) => matches.map(({ start, end }) => text.slice(start, end))),
  );
  const forms = new Set([...new Set(all)].filter(({ length }) => length <= MAX_FORM).slice(0, MAX_FORMS));
  if (forms.size === 0) return (text) => text;
  const others = [...forms]
    .filter((form) => !IS_WORD.test(form))
    .toSorted((a, b) => b.length - a.length)
    .map((form) => (HAS_CJK.test(form) ? quoted(form) : `${quoted(form)}(?![\\p{L}\\p{N}])`));
  const pattern = new RegExp([...others, WORD].join('|'), 'gv');
  return (text) =>
    markedText({
      text,
      matches: [...text.matchAll(pattern)]
        .filter(([word]) => forms.has(word))
        .map(({ 0: word, index }) => ({ start: index, end: index + word.length, of: word })),
    });
}

function quoted(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
