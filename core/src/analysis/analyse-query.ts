import type { AnalysedQuery, QueryPhrase, QueryTerm } from './analysed-query.ts';
import { bigrams, isLoneCjk } from './cjk-run.ts';
import { foldWord } from './fold-word.ts';
import { identifierParts } from './identifier-parts.ts';
import { parseQuery } from './parse-query.ts';
import { scanWords, type ScannedWord } from './scan-words.ts';

/** Analyses a query: the counterpart of `analyseChunk`. Every text is a query; one without letters and digits has no terms. */
export function analyseQuery(text: string): AnalysedQuery {
  const { loose, phrases, excluded, embeddingText } = parseQuery(text);
  const terms = new TermCollector();
  for (const piece of loose) terms.add(piece.normalize('NFC'));
  return {
    text,
    embeddingText,
    terms: terms.collected,
    phrases: analysePhrases(phrases),
    excluded: analysePhrases(excluded),
  };
}

/** Gathers distinct terms in order of first appearance. */
class TermCollector {
  readonly #terms = new Map<string, QueryTerm>();
  #runs = 0;

  get collected(): readonly QueryTerm[] {
    return [...this.#terms.values()];
  }

  add(text: string): void {
    const words = scanWords(text);
    for (const [i, word] of words.entries()) {
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
    if (!this.#terms.has(key)) this.#terms.set(key, term);
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
