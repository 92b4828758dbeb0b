import type { AnalysedQuery, QueryPhrase, QueryTerm } from './analysed-query.ts';
import { bigrams, isLoneCjk } from './cjk-run.ts';
import { foldWord } from './fold-word.ts';
import { identifierParts } from './identifier-parts.ts';
import { parseQuery } from './parse-query.ts';
import { scanWords, type ScannedWord } from './scan-words.ts';

/** Beside so many other words a quoted phrase or an exclusion is part of a description rather than an order. */
const MANY_WORDS = 4;
/** Han, Hangul and kana may stand without spaces: so many characters count as one of those words. */
const CHARACTERS_A_WORD = 4;

/**
 * Analyses a query: the counterpart of `analyseChunk`. Every text is a query; one without letters and digits has no terms.
 *
 * A query of at least four words beside its phrases and exclusions describes what is looked for. A single word in quotes
 * demands nothing there, and the query has weaker readings: one without the demand that its phrases stand in a passage,
 * then one without its exclusions as well. What follows a plus is required by all of them.
 */
export function analyseQuery(text: string): AnalysedQuery {
  const { loose, embeddingText, ...marked } = parseQuery(text);
  const required = analysePhrases(marked.required);
  const phrases = analysePhrases(marked.phrases);
  const excluded = analysePhrases(marked.excluded);
  const describes = countWords(loose) >= MANY_WORDS;
  const reading = (demanded: readonly QueryPhrase[], unwanted: readonly QueryPhrase[]): AnalysedQuery => {
    const relaxed = {
      phrases: phrases.filter((phrase) => !demanded.includes(phrase)),
      excluded: excluded.filter((phrase) => !unwanted.includes(phrase)),
    };
    return {
      text,
      embeddingText,
      terms: termsOf([...loose, ...relaxed.phrases.map((phrase) => phrase.text)]),
      phrases: [...required, ...demanded],
      excluded: unwanted,
      ...(relaxed.phrases.length + relaxed.excluded.length === 0 ? {} : { relaxed }),
    };
  };
  if (!describes) return reading(phrases, excluded);
  const demanded = phrases.filter((phrase) => !isSingleWord(phrase));
  let weaker = excluded.length === 0 ? undefined : reading([], []);
  if (demanded.length > 0) weaker = { ...reading([], excluded), ...(weaker === undefined ? {} : { weaker }) };
  return { ...reading(demanded, excluded), ...(weaker === undefined ? {} : { weaker }) };
}

function isSingleWord({ text, parts }: QueryPhrase): boolean {
  const [part] = parts;
  if (part === undefined || parts.length > 1) return false;
  return part.column === 'words' ? part.tokens.length === 1 : countWords([text]) === 1;
}

function countWords(loose: readonly string[]): number {
  return loose
    .join(' ')
    .split(/\s+/)
    .map((piece) => {
      const words = scanWords(piece.normalize('NFC'));
      const characters = words.reduce((sum, { kind, text }) => sum + (kind === 'cjk' ? text.length : 0), 0);
      return Math.max(Math.min(1, words.length), Math.ceil(characters / CHARACTERS_A_WORD));
    })
    .reduce((sum, count) => sum + count, 0);
}

function termsOf(pieces: readonly string[]): readonly QueryTerm[] {
  const terms = new TermCollector();
  for (const piece of pieces) terms.add(piece.normalize('NFC'));
  return terms.collected;
}

/** Gathers distinct terms in order of first appearance, and counts the words that hold them. */
class TermCollector {
  readonly #terms = new Map<string, { readonly term: QueryTerm; times: number }>();
  /** The terms of the word at hand, each counted once for it. */
  readonly #ofWord = new Set<string>();
  #runs = 0;

  get collected(): readonly QueryTerm[] {
    return [...this.#terms.values()].map(({ term, times }) => (times === 1 ? term : { ...term, times }));
  }

  add(text: string): void {
    const words = scanWords(text);
    for (const [i, word] of words.entries()) {
      this.#ofWord.clear();
      if (word.kind === 'cjk') this.#addRun(word.text);
      else {
        if (!isDotted(text, words[i - 1], word)) this.#addDotted(text, words, i);
        this.#addWord(word.text);
      }
    }
  }

  #addRun(run: string): void {
    const tokens = bigrams(run);
    const number = this.#runs++;
    for (const token of tokens) this.#put(token, { kind: 'cjk', token, run: number });
    if (tokens.length > 1) this.#put(tokens.join(' '), { kind: 'cjk_run', tokens, run: number });
  }

  /** Words joined by dots (`os.path.join`, `1.2.3`) are one more term, before their parts. */
  #addDotted(text: string, words: readonly ScannedWord[], first: number): void {
    let last = first;
    while (isDotted(text, words[last], words[last + 1])) last++;
    if (last > first) this.#putWord(text.slice(words[first]?.start, words[last]?.end));
  }

  #addWord(word: string): void {
    this.#putWord(word);
    for (const { text: piece } of word.includes('_') ? scanWords(word.replaceAll('_', ' ')) : [{ text: word }]) {
      this.#putWord(piece);
      for (const part of identifierParts(piece).split(' ')) if (part !== '') this.#putWord(part);
    }
  }

  #putWord(word: string): void {
    const token = foldWord(word);
    this.#put(token, { kind: 'word', token });
  }

  #put(key: string, term: QueryTerm): void {
    if (this.#ofWord.has(key)) return;
    this.#ofWord.add(key);
    const known = this.#terms.get(key);
    if (known === undefined) this.#terms.set(key, { term, times: 1 });
    else known.times++;
  }
}

function isDotted(text: string, left: ScannedWord | undefined, right: ScannedWord | undefined): boolean {
  return left?.kind === 'word' && right?.kind === 'word' && right.start === left.end + 1 && text[left.end] === '.';
}

function analysePhrases(phrases: readonly string[]): readonly QueryPhrase[] {
  return phrases.map(analysePhrase).filter(({ parts }) => parts.length > 0);
}

/** Neighbouring words make one part, neighbouring runs another: the two kinds stand in different columns of the index. */
function analysePhrase(text: string): QueryPhrase {
  const parts: { readonly column: 'words' | 'cjk'; readonly tokens: string[] }[] = [];
  const words = scanWords(text.normalize('NFC'));
  for (const [i, word] of words.entries()) {
    const column = word.kind === 'cjk' ? 'cjk' : 'words';
    let part = parts.at(-1);
    if (part?.column !== column) parts.push((part = { column, tokens: [] }));
    if (column === 'words') part.tokens.push(foldWord(word.text));
    else part.tokens.push(...runTokens(word.text, words[i + 1]?.kind === 'cjk'));
  }
  return { text, parts };
}

/** The tokens of a run inside a phrase. Where the phrase goes on with another run, the last character stands alone between them. */
function runTokens(run: string, goesOn: boolean): readonly string[] {
  const tokens = bigrams(run);
  return goesOn && !isLoneCjk(run) ? [...tokens, Array.from(run).at(-1) ?? ''] : tokens;
}
