import { searchForm } from '../analysis/search-form.ts';
import type { AnalysedQuery, QueryDemand, QueryPhrase, QueryTerm } from '../analysis/analyse-query.ts';
import { isLoneCjk } from '../analysis/cjk-run.ts';
import { specificityOf } from '../analysis/everyday-words.ts';
import { functionWordsOf } from '../analysis/function-words.ts';
import { stemOf } from '../analysis/index-tokens.ts';
import { foldWord, isFunctionWord, scanWords } from '../analysis/words.ts';

/** Consecutive words of a query, which an index folds and stems like its texts. */
export interface WordRun {
  readonly kind: 'run';
  readonly words: readonly string[];
  /** Whether the last word matches every token that begins with it. */
  readonly isPrefix: boolean;
}

/** What a passage must contain for a unit to count. */
export type UnitMatch = WordRun | Extract<QueryDemand, { kind: 'near' }>;

/** One unit by which a query ranks. */
export interface RankingUnit {
  readonly match: UnitMatch;
  /** Its weight relative to an ordinary word. */
  readonly weight: number;
  /** Whether it is words that stand side by side in the query, which says less about source code. */
  readonly isNeighbours?: boolean | undefined;
  /** Whether it is a function word of a query that has other words. */
  readonly isGrammar?: boolean | undefined;
}

/** With more runs than this, a query is a sentence, in which whole runs with all their particles match only by chance. */
const MAX_RUNS_AS_PHRASES = 3;
/** A longer run, as in a pasted paragraph, ranks by its pairs alone: as a phrase it takes a millisecond per character and changes nothing. */
const MAX_RUN_TOKENS = 64;

/**
 * The parameter for repeated words of a query in BM25, `(k3 + 1) · qtf / (k3 + qtf)`: two occurrences count 1.8, four count 3. 8 is the
 * value of Terrier's BM25; Okapi at TREC used 7 or 1000.
 */
const K3 = 8;
/**
 * What the most frequent words of everyday speech lose of their weight; others lose less. With 0.4 the nearest passages of
 * questions without an answer look like one more often than the gate for refusals allows.
 */
const EVERYDAY_DISCOUNT = 0.3;
/** What all hits have says little about their order: the other words of a query decide that. */
const REQUIRED_WEIGHT = 0.2;
/** The weight of a phrase that is not required, relative to a word of the same rarity. */
const RELAXED_PHRASE_WEIGHT = 1;

/**
 * The weight of a passage's words that stand side by side as in the query, relative to a word of the same rarity, for a query of two words;
 * of more pairs each weighs less.
 */
const NEIGHBOUR_WEIGHT = 0.6;
const NEIGHBOUR_DAMPING = 1;
/** A query of more pairs is a pasted text, and no other text has its words in the same order. */
const MAX_NEIGHBOURS = 16;

/**
 * The units by which a query ranks. Every token is quoted, so nothing in a query is syntax. The bigrams of one run are not independent
 * evidence, so each is weighted by the inverse square root of their number; long runs still count more. A whole run ranks as a phrase only
 * in queries of at most three runs, and only if it is no longer than a sentence. Each repetition of a word adds to its weight, but less
 * than the previous one.
 */
export function rankingUnits({
  terms,
  phrases,
  relaxed,
  demands = [],
  embeddingText,
}: AnalysedQuery): readonly RankingUnit[] {
  const pairs = new Map<number, number>();
  for (const term of terms) if (term.kind !== 'word') pairs.set(term.run, pairsOf(term, pairs.get(term.run)));
  const units = new WeightedUnits();
  for (const match of phrases.flatMap(runsOf)) units.set(match, terms.length === 0 ? 1 : REQUIRED_WEIGHT);
  // The alternatives of a demand rank separately, so that passages with more of them rank higher; words that are near are one unit.
  for (const demand of demands)
    for (const match of demand.kind === 'any' ? demand.phrases.flatMap(runsOf) : [demand]) units.set(match, 1);
  for (const term of terms) {
    if (term.kind === 'cjk_run' && (pairs.size > MAX_RUNS_AS_PHRASES || term.tokens.length > MAX_RUN_TOKENS)) continue;
    const match = termRun(term);
    const weight = term.kind === 'word' ? weightOfWord(term.token) : 1 / Math.sqrt(pairs.get(term.run) ?? 1);
    if (!units.has(match)) units.set(match, weight * repetition(term.times ?? 1));
  }
  for (const match of relaxed?.phrases.flatMap(runsOf) ?? [])
    units.set(match, units.weightOf(match) + RELAXED_PHRASE_WEIGHT);
  const isPlain = phrases.length === 0 && demands.length === 0 && relaxed === undefined;
  const neighbours = isPlain ? neighbourRuns(embeddingText).filter((match) => !units.has(match)) : [];
  const weight = NEIGHBOUR_WEIGHT / neighbours.length ** NEIGHBOUR_DAMPING;
  const grammar = grammarKeys({ terms, phrases });
  return [
    ...units.all().map((unit) => (grammar.has(keyOf(unit.match)) ? { ...unit, isGrammar: true } : unit)),
    ...neighbours.map((match) => ({ match, weight, isNeighbours: true })),
  ];
}

/** Units by what they match, in order. */
class WeightedUnits {
  readonly #units = new Map<string, { readonly match: UnitMatch; readonly weight: number }>();

  all(): readonly RankingUnit[] {
    return [...this.#units.values()];
  }

  has(match: UnitMatch): boolean {
    return this.#units.has(keyOf(match));
  }

  weightOf(match: UnitMatch): number {
    return this.#units.get(keyOf(match))?.weight ?? 0;
  }

  set(match: UnitMatch, weight: number): void {
    this.#units.set(keyOf(match), { match, weight });
  }
}

/** Equal for units that match the same passages. */
function keyOf(match: UnitMatch): string {
  return match.kind === 'run' ? `${match.words.join(' ')}${match.isPrefix ? ' *' : ''}` : JSON.stringify(match);
}

/** Content words that stand side by side, with the function words between them, each once; none in a long query. */
function neighbourRuns(text: string): readonly WordRun[] {
  const runs = new Map<string, WordRun>();
  let words: string[] = [];
  let count = 0;
  for (const { kind, text: word } of scanWords(searchForm(text))) {
    const isContent = kind === 'word' && !isFunctionWord(foldWord(word));
    if (kind === 'cjk') words = [];
    else if (isContent || words.length > 0) words.push(foldWord(word));
    if (!isContent) continue;
    if (words.length > 1) {
      const run: WordRun = { kind: 'run', words, isPrefix: false };
      runs.set(keyOf(run), run);
      count++;
    }
    words = [foldWord(word)];
  }
  return count > MAX_NEIGHBOURS ? [] : [...runs.values()];
}

/** Less for the words of every sentence: in a corpus of manuals `people` or `stop` are rare, and say little all the same. */
function weightOfWord(token: string): number {
  return 1 - EVERYDAY_DISCOUNT * (1 - specificityOf(stemOf(token)));
}

function repetition(times: number): number {
  return ((K3 + 1) * times) / (K3 + times);
}

/** The function words of a query, in its language; none if the query has no other words, because it then asks for them. */
function grammarKeys({ terms, phrases }: Pick<AnalysedQuery, 'terms' | 'phrases'>): ReadonlySet<string> {
  const ownWords = functionWordsOf(terms.flatMap((term) => (term.kind === 'word' ? term.token : [])));
  const isOfGrammar = (word: string): boolean => ownWords?.has(word) ?? isFunctionWord(word);
  const ofGrammar = terms.filter((term) => term.kind === 'word' && isOfGrammar(term.token));
  const isAll = phrases.length === 0 && ofGrammar.length === terms.length;
  return new Set(isAll ? [] : ofGrammar.map((term) => keyOf(termRun(term))));
}

/** The number of bigrams of a run, from its phrase; some of them may be listed only for an earlier run. */
function pairsOf(term: Exclude<QueryTerm, { kind: 'word' }>, known = 1): number {
  return term.kind === 'cjk_run' ? term.tokens.length : known;
}

function termRun(term: QueryTerm): WordRun {
  return term.kind === 'cjk_run' ? { kind: 'run', words: term.tokens, isPrefix: false } : tokenRun(term.token);
}

/** The run of one token, or of consecutive ones separated by spaces. A trailing `*` makes it a prefix, as does being a single character of a script without spaces. */
export function tokenRun(token: string): WordRun {
  const isMarked = token.endsWith('*');
  const words = (isMarked ? token.slice(0, -1) : token).split(' ');
  return { kind: 'run', words, isPrefix: isMarked || isLoneCjk(token) };
}

/** The runs that a text with a phrase contains; only the text can confirm the phrase. */
export function runsOf({ parts }: QueryPhrase): readonly WordRun[] {
  return parts.map(({ column, tokens }) => {
    const [first = ''] = tokens;
    if (tokens.length === 1) return tokenRun(first);
    // The last character of a run is a token of its own, and a prefix of the bigram if the run continues in the text.
    return { kind: 'run', words: tokens, isPrefix: column === 'cjk' && isLoneCjk(tokens.at(-1) ?? '') };
  });
}
