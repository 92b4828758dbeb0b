import type { QueryPhrase } from './analyse-query.ts';
import { foldInPlace, foldWord, scanWords } from './words.ts';
import { identifierParts } from './identifier-parts.ts';

/** Folded words between single spaces, as they are written and as cut into their parts. */
interface WordForms {
  readonly whole: string;
  readonly parts: string;
}

/** A text in which phrases are looked for. */
export class SearchedText {
  readonly #text: string;
  #folded: string | undefined;
  #forms: WordForms | undefined;

  constructor(text: string) {
    this.#text = text.normalize('NFC');
  }

  /**
   * Whether a phrase stands in the text, word for word: case, diacritics and what separates the words do not matter, word
   * forms do. An identifier holds the phrase of its parts. Han, Hangul and kana match inside a run as well (`한국` in
   * `한국은`).
   */
  holds(phrase: QueryPhrase): boolean {
    if (!this.#mayHold(phrase)) return false;
    this.#forms ??= wordForms(this.#text);
    const wanted = wordForms(phrase.text.normalize('NFC'));
    return occurs(wanted.whole, this.#forms.whole, phrase) || occurs(wanted.parts, this.#forms.parts, phrase);
  }

  /** Rules out most texts at a small part of the price of taking them apart. */
  #mayHold({ parts }: QueryPhrase): boolean {
    this.#folded ??= foldInPlace(this.#text);
    const folded = this.#folded;
    return parts.every(({ tokens }) =>
      tokens.every((token) => token.split('_').every((piece) => folded.includes(piece))),
    );
  }
}

/** `_` separates words here, as it does in the index; a run of Han, Hangul or kana is a word. */
function wordForms(text: string): WordForms {
  let whole = ' ';
  let parts = ' ';
  for (const { kind, text: word } of scanWords(text)) {
    for (const piece of kind === 'cjk' ? [word] : word.split('_')) {
      if (piece === '') continue;
      const folded = foldWord(piece);
      whole += `${folded} `;
      const cut = kind === 'cjk' ? '' : identifierParts(piece);
      parts += cut === '' ? `${folded} ` : `${foldWord(cut.slice(1))} `;
    }
  }
  return { whole, parts };
}

/** At an end of Han, Hangul or kana the phrase need not end where the run does. */
function occurs(wanted: string, text: string, { parts }: QueryPhrase): boolean {
  const from = parts[0]?.column === 'cjk' ? 1 : 0;
  const to = parts.at(-1)?.column === 'cjk' ? -1 : wanted.length;
  return text.includes(wanted.slice(from, to));
}
