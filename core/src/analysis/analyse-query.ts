import { bigrams, isLoneCjk } from './cjk-run.ts';
import { foldWord, scanWords, type ScannedWord } from './words.ts';
import { identifierParts } from './identifier-parts.ts';
import { searchForm } from './search-form.ts';

/** With at least this many other words, a quoted phrase or an exclusion is part of a description rather than a strict demand. */
const MANY_WORDS = 4;
/** Han, Hangul and kana may be written without spaces, so this many characters count as one word. */
const CHARACTERS_PER_WORD = 4;

/**
 * Analyses a query; the counterpart of `analyseChunk`. Every text is a valid query; one without letters and digits has no terms.
 *
 * A query of at least four words besides its phrases and exclusions is a description. In it a single quoted word is not required, and the
 * query has weaker readings: one that does not require its phrases, then one that drops its exclusions as well. What follows a plus is
 * required by all readings.
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
      const words = scanWords(searchForm(piece));
      const characters = words.reduce((sum, { kind, text }) => sum + (kind === 'cjk' ? text.length : 0), 0);
      return Math.max(Math.min(1, words.length), Math.ceil(characters / CHARACTERS_PER_WORD));
    })
    .reduce((sum, count) => sum + count, 0);
}

function termsOf(pieces: readonly string[]): readonly QueryTerm[] {
  const terms = new TermCollector();
  for (const piece of pieces) terms.add(searchForm(piece));
  return terms.collected;
}

/** Collects distinct terms in order of first appearance, and counts the words that contain each. */
class TermCollector {
  readonly #terms = new Map<string, { readonly term: QueryTerm; times: number }>();
  /** The terms of the current word, so that each is counted once for it. */
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

  /** Words joined by dots (`os.path.join`, `1.2.3`) form an additional term, before their parts. */
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

/** Adjacent words form one part and adjacent runs another, because they are in different columns of the index. */
function analysePhrase(text: string): QueryPhrase {
  const parts: { readonly column: 'words' | 'cjk'; readonly tokens: string[] }[] = [];
  const words = scanWords(searchForm(text));
  for (const [i, word] of words.entries()) {
    const column = word.kind === 'cjk' ? 'cjk' : 'words';
    let part = parts.at(-1);
    if (part?.column !== column) parts.push((part = { column, tokens: [] }));
    if (column === 'words') part.tokens.push(foldWord(word.text));
    else part.tokens.push(...runTokens(word.text, words[i + 1]?.kind === 'cjk'));
  }
  const exact = exactText(text);
  return { text, parts, ...(exact === undefined ? {} : { exact }) };
}

/** A quoted name is meant as it is written; quoted prose is meant whatever its case and punctuation. */
function exactText(text: string): ExactText | undefined {
  const name = text.trim();
  if (/^[a-z0-9\s]*$/.test(name)) return undefined; // most are, and each class of Unicode takes a third of a millisecond to build
  // With something before, after or between its letters: `--hidden`, `.env`, `C++`, `retry-after`, `std::vec`.
  const isPunctuated = /^(?:[^\s\p{L}\p{N}]+\S*|\S*[^\s\p{L}\p{N}\p{M}'’]\S+|\S*[+#]+)$/u;
  const isName = !/\s/.test(name) && (isPunctuated.test(name) || /\p{L}\p{Lu}/u.test(name));
  // Symbols that separate names in code and commands rather than words in prose.
  if (!isName && !/[^\p{L}\p{N}\p{M}\s'’",.;:!?()–—-]/u.test(name)) return undefined;
  return { text: name, isCaseSensitive: /\p{Lu}/u.test(name), isWhole: true };
}

/** Names that nobody types without meaning their punctuation: `--hidden`, `#68`, `.env`, `C++`, `C#`. */
function markedNames(text: string): readonly string[] {
  if (!/--|[#.]|\+\+/.test(text)) return [];
  const pattern =
    /(?<=^|\s)(?:--[\p{L}\p{N}][\p{L}\p{N}=_-]*|#\p{N}+|\.\p{L}[\p{L}\p{N}_.-]*|\p{L}[\p{L}\p{N}_]*(?:\+\+|#))(?=$|[\s,.;:?!)])/gu;
  return text.match(pattern) ?? [];
}

/** Adds a reading before all others that requires the marked names of a query (`--hidden`, `#68`, `C++`) as they are typed. */
export function requireMarkedNames(query: AnalysedQuery): AnalysedQuery {
  const names = parseQuery(query.text).loose.flatMap(markedNames);
  const exact = analysePhrases(names);
  return exact.length === 0 ? query : { ...query, phrases: [...query.phrases, ...exact], weaker: query };
}

/** A query for one text as it is typed, without any marks; its words rank the passages. */
export function analyseLiteral(text: string): AnalysedQuery {
  const { parts } = analysePhrase(text);
  const exact: ExactText = { text, isCaseSensitive: true, isWhole: false };
  const phrases = parts.length === 0 ? [] : [{ text, parts, exact }];
  return { text, embeddingText: text, terms: termsOf([text]), phrases, excluded: [] };
}

/** The tokens of a run inside a phrase. If another run follows, the last character is a token of its own between them. */
function runTokens(run: string, isFollowed: boolean): readonly string[] {
  const tokens = bigrams(run);
  return isFollowed && !isLoneCjk(run) ? [...tokens, Array.from(run).at(-1) ?? ''] : tokens;
}

/** A query split at its marks; its texts are not analysed yet. */
interface ParsedQuery {
  /** The text between phrases, requirements and exclusions. */
  readonly loose: readonly string[];
  readonly phrases: readonly string[];
  /** Words and phrases after a plus. */
  readonly required: readonly string[];
  readonly excluded: readonly string[];
  /** The query without exclusions and marks, with white space collapsed. */
  readonly embeddingText: string;
}

const SPACE = /\s/;

/**
 * Parses the marks of the query language: `"…"` is a phrase, `+word` and `+"…"` require, `-word` and `-"…"` exclude. A sign is a mark only
 * as the first character of a token and directly before a letter, `_` or a closed phrase, a minus also before a digit (`+82 10` is a number, not
 * a requirement). A quote opens a phrase only if it does not follow a letter, digit or `_`, and only if it is closed. Everything else is
 * data, so every text is a valid query.
 */
export function parseQuery(text: string): ParsedQuery {
  const loose: string[] = [];
  const contents = { phrase: [] as string[], required: [] as string[], excluded: [] as string[] };
  const embedded: string[] = [];
  let from = 0;
  const takeLoose = (to: number): void => {
    if (to > from) loose.push(text.slice(from, to));
    embedded.push(text.slice(from, to));
  };
  for (let at = 0; at < text.length;) {
    const mark = markAt(text, at);
    if (mark === undefined) {
      at++;
      continue;
    }
    takeLoose(at);
    contents[mark.kind].push(mark.content);
    embedded.push(mark.kind === 'excluded' ? ' ' : ` ${mark.content} `);
    from = mark.end;
    at = mark.end;
  }
  takeLoose(text.length);
  return {
    loose,
    phrases: contents.phrase,
    required: contents.required,
    excluded: contents.excluded,
    embeddingText: embedded.join('').replaceAll(/\s+/g, ' ').trim(),
  };
}

interface Mark {
  readonly kind: 'phrase' | 'required' | 'excluded';
  readonly content: string;
  /** The offset after the mark and its content. */
  readonly end: number;
}

function markAt(text: string, at: number): Mark | undefined {
  const character = text[at];
  if (character === '"') return phraseAt(text, at, 'phrase');
  if ((character !== '-' && character !== '+') || !startsToken(text, at)) return undefined;
  const kind = character === '-' ? 'excluded' : 'required';
  if (text[at + 1] === '"') return phraseAt(text, at + 1, kind);
  const first = text.codePointAt(at + 1);
  const opens = kind === 'excluded' ? /[\p{L}\p{N}_]/u : /[\p{L}_]/u;
  if (first === undefined || !opens.test(String.fromCodePoint(first))) return undefined;
  let end = at + 1;
  while (end < text.length && !SPACE.test(text[end] ?? '')) end++;
  return { kind, content: text.slice(at + 1, end), end };
}

function phraseAt(text: string, at: number, kind: Mark['kind']): Mark | undefined {
  if (!startsToken(text, at) && /[\p{L}\p{N}\p{M}_\uDC00-\uDFFF]/u.test(text[at - 1] ?? '')) return undefined;
  const close = text.indexOf('"', at + 1);
  return close < 0 ? undefined : { kind, content: text.slice(at + 1, close), end: close + 1 };
}

function startsToken(text: string, at: number): boolean {
  return at === 0 || SPACE.test(text[at - 1] ?? '');
}

/** An analysed query: terms to rank by, phrases that must occur, and words and phrases that must not. */
export interface AnalysedQuery {
  /** The query as typed. */
  readonly text: string;
  /** The query without exclusions and marks, for the embedder. */
  readonly embeddingText: string;
  /** The terms to rank by, combined with OR. Distinct, in order of first appearance. */
  readonly terms: readonly QueryTerm[];
  /** Phrases that must occur, as typed and as index tokens. */
  readonly phrases: readonly QueryPhrase[];
  /** Words and phrases that must not occur. */
  readonly excluded: readonly QueryPhrase[];
  /** Further conditions, all of which must be met; absent without operators. */
  readonly demands?: readonly QueryDemand[] | undefined;
  /** The phrases and exclusions that this reading does not enforce; absent if it enforces all. */
  readonly relaxed?: Relaxed | undefined;
  /** The fallback if no passage matches this reading; absent if there is no weaker reading. */
  readonly weaker?: AnalysedQuery | undefined;
}

/** Phrases and exclusions that are not enforced: in a weaker reading, or a single quoted word among many others. */
interface Relaxed {
  /** Passages that contain them rank higher; their words count as ordinary terms. */
  readonly phrases: readonly QueryPhrase[];
  /** Passages that contain them are not excluded. */
  readonly excluded: readonly QueryPhrase[];
}

/** A condition that an operator puts on a passage; `text` is the condition as typed. */
export type QueryDemand =
  /** The passage must contain one of these: phrases literally, words in any form that the index matches. */
  | {
      readonly kind: 'any';
      readonly text: string;
      readonly phrases: readonly QueryPhrase[];
      readonly words: readonly QueryPhrase[];
    }
  /** One field of the passage must contain all of these, as the index matches them, with at most `distance` tokens between them. */
  | {
      readonly kind: 'near';
      readonly text: string;
      readonly distance: number;
      readonly phrases: readonly QueryPhrase[];
    };

/** One term to rank by; `times` is the number of words of the query that contain it, if more than one. */
export type QueryTerm = { readonly times?: number | undefined } &
  /** A folded word; or an identifier with `_` or `.`, in addition to its parts. A trailing `*` matches every word with that prefix. */
  (
    | { readonly kind: 'word'; readonly token: string }
    /** One bigram (or the single character) of a run of Han, Hangul or kana; `run` numbers the run in the query. */
    | { readonly kind: 'cjk'; readonly token: string; readonly run: number }
    /** A whole run of Han, Hangul or kana as consecutive bigrams, so that exact matches of the run rank higher. */
    | { readonly kind: 'cjk_run'; readonly tokens: readonly string[]; readonly run: number }
  );

/** Characters that a text must contain in this order; any white space matches any other. */
export interface ExactText {
  readonly text: string;
  readonly isCaseSensitive: boolean;
  /** Whether a letter or digit at its ends must not continue a word. */
  readonly isWhole: boolean;
}

/**
 * Consecutive words, as typed and as tokens, with one part for each sequence of words or of runs. In a part of runs, the last character of
 * a run is a token of its own before the next run, as in the index. A trailing `*` on the last token matches every word with that prefix.
 */
export interface QueryPhrase {
  readonly text: string;
  /** The characters that the text must contain as they are; absent where case and separators do not matter. */
  readonly exact?: ExactText | undefined;
  readonly parts: readonly { readonly column: 'words' | 'cjk'; readonly tokens: readonly string[] }[];
}
