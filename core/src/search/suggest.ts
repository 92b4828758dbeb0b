import editDistance from 'damerau-levenshtein';
import type { AnalysedQuery, QueryTerm } from '../analysis/analyse-query.ts';
import { bigrams } from '../analysis/cjk-run.ts';
import { identifierParts } from '../analysis/identifier-parts.ts';
import { searchForm, traceableForm } from '../analysis/search-form.ts';
import { foldWord, scanWords } from '../analysis/words.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore, DocumentRow } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import { allDocuments } from '../documents/open-store.ts';
import { resolveFilters } from '../documents/resolve-filters.ts';
import type { SourceConfig } from '../documents/source-roots.ts';
import type { TextRange } from '../domain/block.ts';
import { allTags } from '../domain/metadata.ts';
import type { SearchFilters } from '../domain/query.ts';
import { clipped, nearestName } from '../errors/invalid-input.ts';
import { everydayFrequency } from '../analysis/everyday-words.ts';
import { tokensOf } from '../analysis/index-tokens.ts';
import { questionWords } from '../relevance/question-words.ts';
import type { SearchResponse } from '../wire/index.ts';
import {
  asLookedUp,
  isBeginningOf,
  lettersOf,
  maxDistance,
  type Misspelt,
  type NearToken,
  nearTokens,
} from './near-tokens.ts';
import { typeOf } from './count-facets.ts';
import { readOperators, typesIn, type TypedFilter } from './read-operators.ts';

/** Suggestions for a search that found nothing. */
type Suggestions = NonNullable<SearchResponse['suggestions']>;

/** A search that found nothing, or has words that may be misspelt. */
interface EmptySearch {
  /** The texts of the hits that it found nevertheless: then only near spellings are suggested. */
  readonly hitTexts: readonly string[];
  /** The words that few passages contain. */
  readonly rare: readonly string[];
  readonly search: { readonly text: string };
  readonly filters: SearchFilters;
  readonly analysed: AnalysedQuery;
  readonly index: LexicalIndex;
  readonly store: DocumentStore;
  readonly now: Date;
  readonly config: SourceConfig;
  readonly signal: AbortSignal | undefined;
}

/**
 * Suggests words near those that are not in the index, and existing values for filters that match nothing; a key is omitted when there is
 * nothing to suggest.
 */
export async function suggest(empty: EmptySearch): Promise<Pick<SearchResponse, 'suggestions'>> {
  const { search, filters: asked, store, signal } = empty;
  const words = await nearTheOthers(await suggestWords(empty, { signal }), empty);
  if (empty.hitTexts.length > 0)
    return words.length === 0 ? {} : { suggestions: { query: correctedBy(words, search), words, filters: [] } };
  const { within = {}, ...own } = asked;
  const types = within.within === undefined ? [] : typesIn(search.text);
  const [flags, fields] = [await suggestFilters(store, own), await suggestFilters(store, { ...within, types })];
  const filters = [...flags, ...fields];
  if (words.length === 0 && filters.length === 0) {
    const unquoted = await withoutQuotes(empty);
    return unquoted === null ? {} : { suggestions: { query: unquoted, words: [], filters: [] } };
  }
  const query = withFields(correctedBy(words, search), fields);
  const isBetter = query !== search.text && (filters.length > 0 || (await finds(query, empty)));
  return { suggestions: { query: isBetter ? query : null, words, filters } };
}

/** Of several words that are as near, the one that a passage has with the other words of the query comes first. */
async function nearTheOthers(words: Suggestions['words'], empty: EmptySearch): Promise<Suggestions['words']> {
  const typed = scanWords(searchForm(empty.search.text)).map(({ text }) => foldWord(text));
  const better = new Map(words.map(({ word, nearest }) => [word, nearest[0] ?? word]));
  const isWith = (word: string, form: string): Promise<boolean> => {
    const others = typed.map((one) => (one === word ? form : (better.get(one) ?? one)));
    return finds(others.map((one) => `+${one}`).join(' '), empty);
  };
  const ordered = words.map(async ({ word, nearest }) => {
    if (typed.length === 1 || nearest.length === 1) return { word, nearest };
    const fits = await Promise.all(nearest.map((form) => isWith(word, form)));
    return { word, nearest: [...nearest.filter((_, at) => fits[at]), ...nearest.filter((_, at) => !fits[at])] };
  });
  return Promise.all(ordered);
}

/** The query with each word replaced by the nearest that is in the index. */
function correctedBy(words: Suggestions['words'], { text }: EmptySearch['search']): string {
  const nearest = new Map(words.flatMap(({ word, nearest: [first] }) => (first === undefined ? [] : [[word, first]])));
  return reworded(text, nearest);
}

/** A corrected word does not help if a phrase or another required word is missing as well. */
async function finds(text: string, { filters, index, store, now, config, signal }: EmptySearch): Promise<boolean> {
  const { analysed, within: typed } = readOperators(text, (loose) => index.analyseQuery(loose));
  const within = await resolveFilters(typed, { now, store, config });
  for (let reading: AnalysedQuery | undefined = analysed; reading !== undefined; reading = reading.weaker)
    if ((await index.search(reading, { ...filters, within }, 1, { signal })).length > 0) return true;
  return false;
}

/** The words of a query that is a single phrase, if they are found when they need not be consecutive; null otherwise. */
async function withoutQuotes({ search, filters, index, signal }: EmptySearch): Promise<string | null> {
  const words = /^\s*"([^"]+)"\s*$/.exec(search.text)?.[1]?.trim() ?? '';
  if (!/\s/.test(words)) return null;
  const hits = await index.search(index.analyseQuery(words), filters, 1, { signal });
  return hits.length === 0 ? null : words;
}

/** The query with the values of its fields replaced. */
function withFields(text: string, fields: Suggestions['filters']): string {
  let query = text;
  for (const { filter, value, nearest } of fields) {
    const field = filter === 'path_glob' ? 'path' : filter === 'media' ? 'type' : filter;
    const bare = nearest?.replace(/^.*\/(?=[^/]+$)/, '') ?? null;
    const better = filter === 'path_glob' ? bare : nearest;
    if (better === null) continue;
    const written = /\s/.test(better) ? `"${better}"` : better;
    const folder = filter === 'path_glob' ? [`${value}/`, `"${value}/"`] : [];
    for (const typed of [...folder, value, `#${value}`, `"${value}"`])
      query = query.replaceAll(`${field}:${typed}`, `${field}:${written}`);
  }
  return query;
}

/** The query with words replaced, keeping the text around them. */
function reworded(text: string, nearest: ReadonlyMap<string, string>): string {
  const form = traceableForm(text);
  let query = '';
  let from = 0;
  const replace = (range: TextRange, better: string): void => {
    const { start, end } = form.written(range);
    query += text.slice(from, start) + better;
    from = end;
  };
  for (const { text: word, ...range } of scanWords(form.text)) {
    const better = nearest.get(foldWord(word));
    if (better !== undefined) replace(range, better);
    else
      for (const { text: part, start } of partsOf(word)) {
        const other = nearest.get(foldWord(part));
        const partRange = { start: range.start + start, end: range.start + start + part.length };
        if (other !== undefined) replace(partRange, inCaseOf(part, other));
      }
  }
  return query + text.slice(from);
}

/** A part of an identifier, and where it begins. */
interface IdentifierPart {
  readonly text: string;
  readonly start: number;
}

/** The parts of an identifier; none of a plain word. */
function partsOf(word: string): readonly IdentifierPart[] {
  const parts = word.split('_').flatMap((piece) => {
    const own = identifierParts(piece).trim();
    return own === '' ? [piece] : own.split(' ');
  });
  if (parts.length < 2) return [];
  let end = 0;
  return parts.map((text) => {
    const start = word.indexOf(text, end);
    end = start + text.length;
    return { text, start };
  });
}

/** A word in capitals, or with one, as the part of an identifier that it replaces. */
function inCaseOf(part: string, word: string): string {
  if (/\p{Ll}/u.test(part)) return /^\p{Lu}/u.test(part) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
  return word.toUpperCase();
}

const MAX_WORDS = 8;
const MIN_LETTERS = 3;
const MAX_LETTERS = 40;
/** A longer run of Han, Hangul or kana is a sentence: comparing each of its pairs with the vocabulary would take minutes. */
const MAX_CJK_CHARACTERS = 12;
const SHOWN = 3;
/** How many chunks to read to see how a token is written: the best ones for a stem often have one of its forms alone. */
const CHUNKS_READ = 24;

async function suggestWords(empty: EmptySearch, options: AbortOptions): Promise<Suggestions['words']> {
  const { search, index, analysed, hitTexts, rare } = empty;
  const asks = tokensAskedFor(analysed);
  const demanded = new Set(demandedTokens(analysed));
  const isDemanded = ({ word, kind }: Misspelt): boolean => demanded.has(tokenOf(word, kind));
  const known = async (text: string): Promise<boolean> => (await index.termStats([text])).df[0] !== 0;
  const typed = await Promise.all(
    scanWords(searchForm(search.text)).map(async ({ text, kind }) => {
      const parts = kind === 'cjk' ? [] : partsOf(text);
      const isWhole = parts.length === 0 || (await known(foldWord(text)));
      return (isWhole ? [text] : parts.map((part) => part.text)).map((word): [string, typeof kind] => [
        foldWord(word),
        kind,
      ]);
    }),
  );
  // Beside hits the particle of a word is no slip.
  const stems = hitTexts.length > 0 && typed.flat().some(([, kind]) => kind === 'cjk') ? stemsIn(search.text) : [];
  const stemOf = (word: string): string => stems.find((stem) => word.startsWith(stem)) ?? word;
  const words = [...new Map(typed.flat().map(([word, kind]) => [kind === 'cjk' ? stemOf(word) : word, kind]))]
    .map(([word, kind]): Misspelt => ({ word, kind, letters: lettersOf(word) }))
    .filter(({ word, kind }) => asks.has(tokenOf(word, kind)))
    .filter(({ letters }) => letters.length >= MIN_LETTERS && letters.length <= MAX_LETTERS && /\D/.test(letters))
    .filter(({ word, kind }) => kind === 'word' || Array.from(word).length <= MAX_CJK_CHARACTERS)
    .toSorted((a, b) => Number(isDemanded(b)) - Number(isDemanded(a)))
    .slice(0, MAX_WORDS);
  const counted = await countedIn(index, words);
  const isBeside = hitTexts.length > 0;
  const doubtful = counted.filter(({ word, chunks }) =>
    isBeside ? (chunks === 0 || rare.includes(word)) && isUncommon(word) : chunks === 0,
  );
  const suggestions: { word: string; nearest: readonly string[] }[] = [];
  for (const one of doubtful) {
    const near = await tokensNear(index, one, options);
    const tokens = near.filter(({ chunks }) => chunks >= one.chunks * TIMES_AS_FREQUENT);
    const forms = (await formsOf(tokens, { ...empty, one, options })).filter(({ form }) => {
      if (one.chunks > 0) return isSlip(one.letters, lettersOf(form));
      return !isBeside || one.kind === 'word' || isHangulSlip(one.word, form);
    });
    const nearest = forms.slice(0, SHOWN).map(({ written }) => written);
    if (nearest.length > 0) suggestions.push({ word: one.word, nearest });
  }
  const indexed = counted.flatMap(({ word, chunks }) => (chunks === 0 ? [] : [word, ...word.split('_')]));
  return [...suggestions, ...slipsBeside(hitTexts, indexed)];
}

/** The words of Han, Hangul and kana in a query, without particles and endings, longest first. */
function stemsIn(text: string): readonly string[] {
  const stems = questionWords(text).flatMap((word) => (word.kind === 'cjk' ? [word.stem] : []));
  return stems.toSorted((a, b) => b.length - a.length);
}

/** The tokens that a word may have meant; for one that the index has, those that begin like it. */
async function tokensNear(
  index: LexicalIndex,
  word: CountedWord,
  options: AbortOptions,
): Promise<readonly NearToken[]> {
  if (word.chunks > 0) return nearTokens(index, word, { ...options, beginning: word.letters.slice(0, SURE_LETTERS) });
  const own = word.kind === 'cjk' ? await ownPairs(index, word) : [];
  return own.length > 0 ? own : nearTokens(index, word, options);
}

/** The pairs of characters of a word that the index has, rarest first: a word with one wrong syllable has the others. */
async function ownPairs(index: LexicalIndex, { word }: CountedWord): Promise<readonly NearToken[]> {
  const pairs = bigrams(word);
  const { df } = await index.termStats(pairs);
  const known = pairs.map((token, at): NearToken => ({ token, chunks: df[at] ?? 0, distance: 0 }));
  return known.filter(({ chunks }) => chunks > 0).toSorted((a, b) => a.chunks - b.chunks);
}

const MIN_SYLLABLES = 3;
/** Vowels that sound alike: the endings of verbs differ in others. */
const ALIKE = /^(?:[\u1162\u1166]{2}|[\u1164\u1168]{2}|[\u116c\u116b\u1170]{2})$/;

/** Whether two words of Hangul differ by one letter: in the last syllable, where words are inflected, by its first letter or a vowel that sounds the same. */
function isHangulSlip(a: string, b: string): boolean {
  const [one, other] = [Array.from(a), Array.from(b)];
  if (one.length < MIN_SYLLABLES || one.length !== other.length) return false;
  const at = one.findIndex((syllable, i) => syllable !== other[i]);
  const [own, its] = [lettersOf(one[at] ?? ''), lettersOf(other[at] ?? '')];
  if (!/^\p{Script=Hangul}+$/u.test(own + its) || editDistance(lettersOf(a), lettersOf(b)).steps !== 1) return false;
  if (at < one.length - 1) return true;
  return own.slice(1) === its.slice(1) || (own.length === its.length && ALIKE.test(`${own[1]}${its[1]}`));
}

/** A word that few passages contain may be misspelt there as well, if another of nearly the same letters is so much more frequent. */
const TIMES_AS_FREQUENT = 8;
/** The first letters of a word are seldom mistyped. */
const SURE_LETTERS = 2;

/** An everyday word is spelt correctly, however rare it is in a corpus. */
function isUncommon(word: string): boolean {
  return everydayFrequency(tokensOf(word)[0] ?? word) === null;
}

/** Whether two words differ by one slip within them: what differs at the end is usually another form of the word. */
function isSlip(a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return same > 0 && same < Math.min(a.length, b.length) - 1 && editDistance(a, b).steps === 1;
}

const MIN_LETTERS_OF_A_FORM = 6;
/** Two spellings of one word begin alike. */
const SAME_LETTERS = 3;

/**
 * Other spellings in the hits of words that none of them has as typed, although the index has their stem: `existance` beside `existence`,
 * `extracter` beside `extractor`.
 */
function slipsBeside(texts: readonly string[], words: readonly string[]): Suggestions['words'] {
  const text = texts.join('\n').toLowerCase();
  return words.flatMap((word) => {
    if (word.length < MIN_LETTERS_OF_A_FORM || !/^[a-z]+$/.test(word) || text.includes(word)) return [];
    const beginning = new RegExp(String.raw`(?<![a-z])${word.slice(0, SAME_LETTERS)}[a-z]*`, 'g');
    const spelt = word.replace(/s$/, '');
    const forms = [...new Set(text.match(beginning))].filter((form) => isSlip(spelt, form.replace(/s$/, '')));
    return forms.length === 0 ? [] : [{ word, nearest: forms.slice(0, SHOWN) }];
  });
}

/** The words the query searches for: neither exclusions nor the values of fields, and no prefixes, which have no correct spelling. */
function tokensAskedFor(query: AnalysedQuery): ReadonlySet<string> {
  const ranking = query.terms.flatMap((term) => (term.kind === 'cjk_run' ? [] : [term.token]));
  return new Set([...ranking, ...demandedTokens(query)]);
}

/** Tokens without which nothing is found, whatever the other words match. */
function demandedTokens({ phrases, demands = [] }: AnalysedQuery): readonly string[] {
  const all = [...phrases, ...demands.flatMap((demand) => demand.phrases)];
  return all.flatMap(({ parts }) => parts.flatMap(({ tokens }) => tokens));
}

/** The token of a word; for a CJK run its first. */
function tokenOf(word: string, kind: Misspelt['kind']): string {
  return kind === 'cjk' ? (bigrams(word)[0] ?? word) : word;
}

/** A word of a query and in how many chunks it is. */
interface CountedWord extends Misspelt {
  readonly chunks: number;
}

async function countedIn(index: LexicalIndex, words: readonly Misspelt[]): Promise<readonly CountedWord[]> {
  const tokens = words.map(({ word, kind }) => (kind === 'cjk' ? bigrams(word).join(' ') : word));
  const { df } = await index.termStats(tokens);
  return words.map((word, at) => ({ ...word, chunks: df[at] ?? 0 }));
}

/** A word as it is compared, and as a text writes it, in lower case. */
type WrittenForm = Readonly<Record<'form' | 'written', string>>;

/** How tokens are written in the text: the index contains stems and character bigrams. Nearest first, ties by frequency. */
async function formsOf(
  tokens: readonly NearToken[],
  { one, index, store, options }: Pick<EmptySearch, 'index' | 'store'> & { one: Misspelt; options: AbortOptions },
): Promise<readonly WrittenForm[]> {
  const forms = new Map<string, WrittenForm & { readonly distance: number; readonly chunks: number }>();
  for (const { token, chunks, distance } of tokens) {
    const nearest = Math.min(...[...forms.values()].map((known) => known.distance));
    if (nearest < 2 && (distance > nearest || forms.size >= SHOWN)) break;
    const add = (written: string): void => {
      const form = foldWord(written);
      const steps = editDistance(one.letters, lettersOf(form)).steps;
      const isBeginning = isBeginningOf(one, lettersOf(form));
      if (forms.has(form) || steps === 0 || (!isBeginning && steps > maxDistance(one.letters))) return;
      // However much of a word is missing, its beginning is as near as a slip; of several, the shortest.
      forms.set(form, { distance: isBeginning ? 1 + steps / MAX_LETTERS : steps, chunks, form, written });
    };
    const term: QueryTerm =
      one.kind === 'cjk' ? { kind: 'cjk', token, run: 0 } : { kind: 'word', token: asLookedUp(token, 'word') };
    const query = { text: token, embeddingText: token, terms: [term], phrases: [], excluded: [] };
    const hits = await index.search(query, {}, CHUNKS_READ, options);
    const texts = (await store.getChunks(hits.map(({ chunkId }) => chunkId))).flatMap(({ chunk, document }) => {
      return [chunk.text, document.title, document.workspacePath, ...chunk.headingPath];
    });
    for (const form of writtenForms(texts.join('\n'), token, one)) add(form);
    const respelt = withStem(one, token);
    if (respelt !== null && editDistance(one.letters, lettersOf(respelt)).steps <= maxDistance(one.letters))
      add(respelt);
  }
  return [...forms.values()].toSorted((a, b) => a.distance - b.distance || b.chunks - a.chunks);
}

/** The word with another stem and its own ending, if the index stores that as the stem: the form that was meant may be in no passage read. */
function withStem({ word, kind }: Misspelt, token: string): string | null {
  const [stem = ''] = tokensOf(word);
  const form = token + word.slice(stem.length);
  // Without an ending it would be the stem alone, which may be no word.
  const hasEnding = word.startsWith(stem) && word.length > stem.length;
  return kind === 'word' && hasEnding && tokensOf(form).join(' ') === token ? form : null;
}

/** The words of a text that the index stores as a token; for a CJK run as many characters as were typed, since particles follow. */
function writtenForms(text: string, token: string, { word, kind }: Misspelt): readonly string[] {
  const words = scanWords(searchForm(text));
  if (kind === 'word') {
    const distinct = new Set(words.flatMap((one) => (one.kind === 'word' ? [one.text] : [])));
    const pieces = [...distinct].flatMap((one) => [...one.split('_'), ...partsOf(one).map((part) => part.text)]);
    const forms = new Set(pieces.map((one) => one.toLowerCase().normalize('NFC')));
    return [...forms].filter((one) => tokensOf(foldWord(one)).includes(token));
  }
  const length = Array.from(word).length;
  return words.flatMap(({ kind: script, text: run }) => {
    if (script !== 'cjk' || !run.includes(token)) return [];
    const characters = Array.from(run);
    const at = Array.from(run.slice(0, run.indexOf(token))).length;
    // The bigram may be anywhere in the word.
    return Array.from({ length: length - 1 }, (_, before) => characters.slice(at - before, at - before + length))
      .filter((form, before) => at >= before && form.length === length)
      .map((form) => form.join(''));
  });
}

type FilterSuggestion = NonNullable<SearchResponse['suggestions']>['filters'][number];

/** The filters of a search, and the types that its query names, which are globs among them. */
interface SuggestedFor extends SearchFilters {
  readonly types?: readonly TypedFilter[];
}

/** A filter for which existing values are suggested. */
interface ValueList {
  /** The values that were asked for, each with the filters that it sets. */
  readonly askedIn: (filters: SuggestedFor) => readonly TypedFilter[];
  readonly valuesOf: (document: DocumentRow) => readonly string[];
}

const eachOf =
  (member: 'source' | 'lang' | 'media' | 'tag' | 'repo' | 'codeLang'): ValueList['askedIn'] =>
  (filters) =>
    (filters[member] ?? []).map((value) => ({ value, filters: { [member]: [value] } }));

/** By their request names, and that of the field `type:`. */
const LISTS = {
  source: { askedIn: eachOf('source'), valuesOf: ({ sourceId }) => [sourceId] },
  lang: { askedIn: eachOf('lang'), valuesOf: ({ lang }) => [lang] },
  media: { askedIn: eachOf('media'), valuesOf: ({ media }) => [media] },
  tag: { askedIn: eachOf('tag'), valuesOf: (document) => allTags(document).map((tag) => tag.replace(/^#+/, '')) },
  path_glob: { askedIn: placesAsked, valuesOf: ({ workspacePath }) => placesOf(workspacePath) },
  repo: { askedIn: eachOf('repo'), valuesOf: ({ repo }) => (repo === null ? [] : [repo]) },
  code_lang: { askedIn: eachOf('codeLang'), valuesOf: ({ codeLang }) => (codeLang === null ? [] : [codeLang]) },
  type: { askedIn: ({ types = [] }) => types, valuesOf: (document) => [typeOf(document)] },
} as const satisfies Readonly<Record<string, ValueList>>;

/** How many documents are examined; more would make a search that found nothing slow. */
const MAX_DOCUMENTS = 20_000;
const SHOWN_FILTERS = 10;
/** How many filter values are examined: each is a separate query, and is compared with all existing values. */
const MAX_VALUES = 50;
/** How many values that match nothing are reported. */
const MAX_REPORTED = 8;

/** Filter values that no document has, each with the nearest existing value, and the most common ones. */
async function suggestFilters(store: DocumentStore, filters: SuggestedFor): Promise<readonly FilterSuggestion[]> {
  const vain = await vainValues(store, filters);
  if (vain.length === 0) return [];
  const counts = new Map(vain.map(({ key }) => [key, new Map<string, number>()]));
  let seen = 0;
  for await (const document of allDocuments(store)) {
    for (const [key, values] of counts)
      for (const value of LISTS[key].valuesOf(document)) values.set(value, (values.get(value) ?? 0) + 1);
    if (++seen === MAX_DOCUMENTS) break;
  }
  return vain.map(({ key, value }): FilterSuggestion => {
    const known = [...(counts.get(key) ?? [])]
      .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .map(([name]) => name);
    const shown = key === 'path_glob' ? known.filter((path) => path.endsWith('/')) : known;
    return {
      filter: key,
      value: clipped(value),
      nearest: nearestTo(key, value, known),
      known: shown.slice(0, SHOWN_FILTERS),
    };
  });
}

/** A path has many parts that may be mistyped, and users omit folders: the name alone is compared as well. */
function nearestTo(key: keyof typeof LISTS, value: string, known: readonly string[]): string | null {
  const same = known.find((one) => one.toLowerCase() === value.toLowerCase());
  if (same !== undefined) return same;
  if (key === 'lang')
    return known.find((code) => nameOfLanguage(code) === value.toLowerCase()) ?? nearestName(value, known) ?? null;
  if (key !== 'path_glob') return nearestName(value, known) ?? null;
  const bare = withoutStars(value);
  if (bare === '') return null;
  const names = known.map((path) => path.replace(/\/$/, '').split('/').at(-1) ?? path);
  const name = nearestName(bare.replace(/\/$/, '').split('/').at(-1) ?? bare, names);
  return nearestName(bare, known) ?? known[names.indexOf(name ?? '')] ?? null;
}

/** In English, as in `--lang german`. */
function nameOfLanguage(code: string): string | undefined {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code)?.toLowerCase();
  } catch {
    return undefined; // front matter may contain something other than a code
  }
}

function withoutStars(glob: string): string {
  return glob
    .replace(/(?:\/?\*+)+$/, '')
    .replaceAll('*', '')
    .replace(/^\/+/, '');
}

interface VainValue {
  readonly key: keyof typeof LISTS;
  readonly value: string;
}

async function vainValues(store: DocumentStore, filters: SuggestedFor): Promise<readonly VainValue[]> {
  const vain: VainValue[] = [];
  let looked = 0;
  for (const key of Object.keys(LISTS) as (keyof typeof LISTS)[])
    for (const { value, filters: own } of LISTS[key].askedIn(filters)) {
      if (vain.length === MAX_REPORTED || looked++ === MAX_VALUES) return vain;
      if ((await store.documentIds(own)).size === 0) vain.push({ key, value });
    }
  return vain;
}

/** The globs of one path field are alternatives for one place; a name without a folder is a glob of one in any folder. */
function placesAsked({ pathGlob = [] }: SearchFilters): readonly TypedFilter[] {
  const [first = ''] = pathGlob;
  if (/^\*\*\/\*.*\*$/.test(first)) return [{ value: withoutStars(first), filters: { pathGlob } }];
  return pathGlob.map((glob) => ({ value: glob.replace(/^\*\*\/(?=[^/]+$)/, ''), filters: { pathGlob: [glob] } }));
}

/** The path itself and its folders, each with a trailing slash. */
function placesOf(path: string): readonly string[] {
  const folders = path.split('/').slice(0, -1);
  return [path, ...folders.map((_, at) => `${folders.slice(0, at + 1).join('/')}/`)];
}
