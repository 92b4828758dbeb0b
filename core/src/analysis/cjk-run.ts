import { cjkWidths } from './cjk-letters.ts';
import { UnitWriter } from './unit-writer.ts';

const MAYBE_CJK = /[\u1100-\u11FF\u3005-\u9FFF\uA960-\uA97C\uAC00-\uD7FB\uD840-\uD8BF\uF900-\uFAFF\uFF66-\uFFDC]/;
const SPACE = 0x20;

/** A text taken apart: its words, with a space for every run of Han, Hangul or kana, and the tokens of those runs. */
export interface SplitScripts {
  readonly words: string;
  /** Separated by spaces, each run followed by the next as if they were one sentence; empty without such a run. */
  readonly cjk: string;
}

/**
 * Separates runs of Han, Hangul and kana from all other text. A run gives its bigrams, then its last character alone, so
 * that each character begins exactly one token: a query of one character asks for the tokens that begin with it.
 * `한국은` gives `한국 국은 은 `. Text without any costs one fast look.
 */
export function splitScripts(text: string): SplitScripts {
  if (!MAYBE_CJK.test(text)) return { words: text, cjk: '' };
  const widths = cjkWidths();
  const words = new UnitWriter(text.length);
  const cjk = new UnitWriter(3 * text.length);
  for (let at = 0; at < text.length;) {
    let width = widths[text.charCodeAt(at)] as number;
    if (width === 0) {
      words.write(text.charCodeAt(at));
      at++;
      continue;
    }
    for (; width > 0; width = at < text.length ? (widths[text.charCodeAt(at)] as number) : 0) {
      const next = at + width;
      const nextWidth = next < text.length ? (widths[text.charCodeAt(next)] as number) : 0;
      for (let i = at; i < next + nextWidth; i++) cjk.write(text.charCodeAt(i));
      cjk.write(SPACE);
      at = next;
    }
    words.write(SPACE);
  }
  return { words: words.text(), cjk: cjk.text() };
}

/**
 * The overlapping pairs of characters of a run; a run of one character is itself its only token.
 * `bigrams('한국은')` is `['한국', '국은']`.
 */
export function bigrams(run: string): readonly string[] {
  const characters = Array.from(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => `${characters[i] ?? ''}${character}`);
}

/** Whether a token is one such character by itself. The index finds it as the beginning of a token, not as a whole one. */
export function isLoneCjk(token: string): boolean {
  return token.length > 0 && cjkWidths()[token.charCodeAt(0)] === token.length;
}
