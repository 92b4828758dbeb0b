import { LRU } from 'tiny-lru';
import { type AnalysedQuery, analyseQuery, type QueryPhrase } from '../analysis/analyse-query.ts';
import { analyseChunk, INDEX_VERSION, type IndexMaterial, type IndexText } from '../analysis/index-text.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type {
  IndexToken,
  LexicalHit,
  LexicalIndex,
  NamedChunk,
  TermStats,
  VocabularyOptions,
} from '../contracts/lexical-index.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { isFunctionWord } from '../analysis/words.ts';
import { PassageWords } from './passage-words.ts';
import { lookupOf, saturated } from './posted-terms.ts';
import { type RankingUnit, rankingUnits, runsOf, tokenRun, type UnitMatch, type WordRun } from './ranking-units.ts';
import { COMMON_FACTOR, type UnitCount, unitsByRarity, weighUnit } from './unit-weights.ts';
import {
  comparedScore,
  type PostedHit,
  type RequiredTerms,
  type WeighedTerm,
  type WordEngine,
  type WordState,
} from './word-engine.ts';

/** The number of candidates whose texts are read for words in a row that are no term. */
const CHECKED_CANDIDATES = 100;
/** The minimum number of passages whose texts are read at once for phrases and exclusions. */
const MIN_CHECKED_AT_ONCE = 32;
/** How many chunks are read at once where all are checked. */
const CHECKED_AT_ONCE = 256;
/** How many lists of terms a chunk is required to meet. */
const MAX_REQUIRED = 32;
/** The number of tokens that a beginning stands for. */
const MAX_EXPANSIONS = 200;
/** An alias stands in the text of a first chunk, among all other words; a word that more chunks contain is hardly one. */
const MAX_WITH_ALIAS = 50;
const MAX_KNOWN_COUNTS = 50_000;
const ALL_TOKENS = 10_000_000;

/** What makes a {@link PostedLexicalIndex}. */
export interface PostedLexicalIndexInit {
  readonly id: string;
  readonly version: string;
  readonly engine: WordEngine;
  readonly documents: () => Promise<Pick<DocumentStore, 'getChunks'>>;
}

/**
 * A lexical index over an engine that stores terms. It ranks by the units and weights of the SQLite index. What terms cannot tell (phrases
 * as they are written, the order of more than two words, exclusions) is checked in the texts of candidates.
 */
export class PostedLexicalIndex implements LexicalIndex {
  readonly id: string;
  readonly version: string;
  readonly #engine: WordEngine;
  readonly #documents: PostedLexicalIndexInit['documents'];
  readonly #counts = new LRU<number>(MAX_KNOWN_COUNTS);
  #countedVersion = '';

  constructor({ id, version, engine, documents }: PostedLexicalIndexInit) {
    this.id = id;
    this.version = version;
    this.#engine = engine;
    this.#documents = documents;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}+${INDEX_VERSION}`;
  }

  indexVersion(): string {
    return INDEX_VERSION;
  }

  async isCurrent(options: AbortOptions = {}): Promise<boolean> {
    return (await this.#engine.state(options)).isCurrent;
  }

  analyseChunk(material: IndexMaterial): IndexText {
    return analyseChunk(material);
  }

  analyseQuery(text: string): AnalysedQuery {
    return analyseQuery(text);
  }

  async search(
    query: AnalysedQuery,
    filters: SearchFilters,
    limit: number,
    options: AbortOptions = {},
  ): Promise<readonly LexicalHit[]> {
    throwIfCancelled(options.signal, 'search');
    if (limit < 1) return [];
    const state = await this.#state(options);
    const task = await this.#task(query, { filters, state }, options);
    if (task === null) return [];
    for (let wanted = limit; ; wanted *= 4) {
      const { hits, isAll } = await this.#ranked(task, wanted, options);
      const checked = await this.#checked(task, hits, limit, options);
      if (checked.length === limit || isAll) return checked.map(({ chunkId, score }) => ({ chunkId, score }));
    }
  }

  async admitted(
    query: AnalysedQuery,
    filters: SearchFilters,
    options: AbortOptions = {},
  ): Promise<ReadonlySet<ChunkId> | null> {
    const { phrases, excluded, demands = [] } = query;
    if (phrases.length === 0 && excluded.length === 0 && demands.length === 0) return null;
    throwIfCancelled(options.signal, 'search');
    await this.#state(options);
    const all = await this.#required(query, options);
    if (all === null) return new Set();
    const candidates = await this.#engine.matching({ all, filters }, options);
    const admitted = new Set<ChunkId>();
    for (let from = 0; from < candidates.length; from += CHECKED_AT_ONCE) {
      throwIfCancelled(options.signal, 'search');
      const some = candidates.slice(from, from + CHECKED_AT_ONCE);
      const words = await this.#words(some, options);
      for (const id of some) if (meets(words.get(id), query)) admitted.add(id);
    }
    return admitted;
  }

  async termStats(tokens: readonly string[], filters: SearchFilters = {}): Promise<TermStats> {
    const state = await this.#state({});
    if (Object.values(filters).some((value) => value !== undefined)) {
      const chunks = await this.#engine.count({ all: [], filters }, {});
      return { chunks, df: await Promise.all(tokens.map((token) => this.#countWithin(tokenRun(token), filters))) };
    }
    const counted = await this.#frequencies(
      tokens.map((token) => tokenRun(token)),
      { state },
    );
    return { chunks: state.size.chunks, df: counted };
  }

  /** Of tokens in a row, the chunks that have them all. */
  async #countWithin(run: WordRun, filters: SearchFilters): Promise<number> {
    const all = await this.#allOf(run, {});
    return all === null ? 0 : this.#engine.count({ all, filters }, {});
  }

  async named(
    phrases: readonly QueryPhrase[],
    filters: SearchFilters,
    limit: number,
    options: AbortOptions = {},
  ): Promise<readonly NamedChunk[]> {
    throwIfCancelled(options.signal, 'search');
    if (phrases.length === 0 || limit < 1) return [];
    const state = await this.#state(options);
    const lists = phrases.map(async (phrase) => {
      const tokens = [...new Set(runsOf(phrase).flatMap((run) => tokensOf(run)))];
      if (tokens.length === 0) return [];
      const content = tokens.filter((token) => !isFunctionWord(token));
      const counted = content.length === 0 ? tokens : content;
      const counts = await this.#termCounts(counted, state, options);
      const rarest = Math.min(...counts);
      if (rarest === 0) return [];
      const ordered = [...new Set([counted[counts.indexOf(rarest)] ?? '', ...tokens])];
      return this.#engine.named(ordered, { filters, limit, inText: rarest <= MAX_WITH_ALIAS }, options);
    });
    const chunks = (await Promise.all(lists)).flat();
    return [...new Map(chunks.map((chunk) => [chunk.chunkId, chunk])).values()];
  }

  async vocabulary({ signal, beginning = '' }: VocabularyOptions = {}): Promise<Iterable<IndexToken>> {
    throwIfCancelled(signal, 'search');
    return this.#engine.tokens({ beginning, limit: ALL_TOKENS }, { signal });
  }

  async #state(options: AbortOptions): Promise<WordState> {
    const state = await this.#engine.state(options);
    if (state.version !== this.#countedVersion) this.#counts.clear();
    this.#countedVersion = state.version;
    return state;
  }

  /** Null for a query that nothing can match. */
  async #task(
    query: AnalysedQuery,
    { filters, state }: { readonly filters: SearchFilters; readonly state: WordState },
    options: AbortOptions,
  ): Promise<Task | null> {
    const units = rankingUnits(query);
    const [all, frequencies] = await Promise.all([
      this.#required(query, options),
      this.#frequencies(
        units.map(({ match }) => match),
        { state, ...options },
      ),
    ]);
    if (all === null) return null;
    const counted = units.map((unit, at) => ({ ...unit, frequency: frequencies[at] ?? 0 }));
    const { rare, common, isSmoothed } = unitsByRarity(counted, state.size);
    if (rare.length === 0) return null;
    const weigh = async (unit: CountedUnit, factor = 1): Promise<readonly Weighed[]> => {
      const { idf, inCode, elsewhere } = weighUnit(unit, state.size, isSmoothed);
      const weight = unit.weight * idf * factor;
      const weights = { weight: weight * elsewhere, inCode: weight * inCode };
      const terms = await this.#termsOf(unit.match, options);
      return terms === null
        ? [{ kind: 'checked', match: unit.match, ...weights }]
        : terms.map((term) => ({ kind: 'term', term, frequency: unit.frequency, ...weights }));
    };
    const ranking = (await Promise.all(rare.map((unit) => weigh(unit)))).flat();
    const last = (await Promise.all(common.map((unit) => weigh(unit, COMMON_FACTOR)))).flat();
    return { query, filters, state, all, ranking, common: last };
  }

  /** The terms of a unit; null for one that only texts can tell. */
  async #termsOf(match: UnitMatch, options: AbortOptions): Promise<readonly string[] | null> {
    if (match.kind === 'near') return null;
    const lookup = lookupOf(match);
    switch (lookup.kind) {
      case 'none':
        return [];
      case 'term':
        return [lookup.term];
      case 'beginning':
        return this.#expand(lookup.beginning, options);
      case 'checked':
        return null;
      default:
        return lookup satisfies never;
    }
  }

  async #expand(beginning: string, options: AbortOptions): Promise<readonly string[]> {
    const longer = await this.#engine.tokens({ beginning, limit: MAX_EXPANSIONS }, options);
    return [beginning, ...longer.map(({ token }) => token)];
  }

  /** The terms that a chunk must contain to meet the phrases and demands of a query; null when no chunk can. */
  async #required({ phrases, demands = [] }: AnalysedQuery, options: AbortOptions): Promise<RequiredTerms | null> {
    const lists: (readonly string[])[] = [];
    for (const run of phrases.flatMap(runsOf)) lists.push(...(await this.#termsIn(run, options)));
    for (const demand of demands) {
      if (demand.kind === 'near')
        for (const run of demand.phrases.flatMap(runsOf)) lists.push(...(await this.#termsIn(run, options)));
      else {
        const first = [...demand.phrases, ...demand.words].flatMap((phrase) => runsOf(phrase).slice(0, 1));
        const terms = await Promise.all(first.map((run) => this.#termsIn(run, options)));
        lists.push(terms.flatMap(([list]) => list ?? []));
      }
    }
    return lists.some((list) => list.length === 0) ? null : distinctLists(lists);
  }

  /** For each token of a run, the terms of which a chunk has one. */
  async #termsIn(run: WordRun, options: AbortOptions): Promise<RequiredTerms> {
    const tokens = tokensOf(run);
    const terms = await this.#termsOf(run, options);
    if (terms !== null) return tokens.length === 0 ? [] : [terms];
    const last = { kind: 'run', words: tokens.slice(-1), isPrefix: run.isPrefix } as const;
    const ending = await this.#termsOf(last, options);
    return [...new Set(tokens.slice(0, -1))].map((token): readonly string[] => [token]).concat([ending ?? []]);
  }

  /** The number of chunks that match each unit; of one that only texts can tell, estimated from candidates. */
  async #frequencies(
    matches: readonly UnitMatch[],
    { state, ...options }: { readonly state: WordState } & AbortOptions,
  ): Promise<readonly number[]> {
    const terms = await Promise.all(matches.map((match) => this.#termsOf(match, options)));
    const known = await this.#termCounts(
      terms.flatMap((list) => list ?? []),
      state,
      options,
    );
    let at = 0;
    const counts: number[] = [];
    for (const [i, list] of terms.entries()) {
      if (list === null) {
        counts.push(await this.#checkedCount(matches[i] as UnitMatch, state, options));
        continue;
      }
      const own = known.slice(at, at + list.length);
      at += list.length;
      counts.push(
        list.length > 1
          ? await this.#engine.count({ all: [list], filters: {} }, options)
          : own.reduce((sum, count) => sum + count, 0),
      );
    }
    return counts;
  }

  async #termCounts(terms: readonly string[], state: WordState, options: AbortOptions): Promise<readonly number[]> {
    const unknown = [...new Set(terms)].filter((term) => this.#counts.get(term) === undefined);
    const counted = unknown.length === 0 ? [] : await this.#engine.frequencies(unknown, options);
    const fresh = new Map(unknown.map((term, at) => [term, counted[at] ?? 0]));
    if (state.version === this.#countedVersion) for (const [term, count] of fresh) this.#counts.set(term, count);
    return terms.map((term) => fresh.get(term) ?? this.#counts.get(term) ?? 0);
  }

  async #checkedCount(match: UnitMatch, state: WordState, options: AbortOptions): Promise<number> {
    const key = `\0${JSON.stringify(match)}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const all = await this.#allOf(match, options);
    let count = 0;
    if (all !== null) {
      const hits = await this.#candidates({ match, all, filters: {}, terms: [] }, state, options);
      const words = await this.#words(
        hits.map(({ chunkId }) => chunkId),
        options,
      );
      const matching = [...words.values()].filter((passage) => countIn(passage, match) > 0).length;
      const total =
        hits.length < CHECKED_CANDIDATES ? hits.length : await this.#engine.count({ all, filters: {} }, options);
      count = hits.length === 0 ? 0 : Math.max(matching, Math.round((total * matching) / hits.length));
    }
    if (state.version === this.#countedVersion) this.#counts.set(key, count);
    return count;
  }

  /** The terms of which a chunk must have one of each list to match a unit; null when no chunk can. */
  async #allOf(match: UnitMatch, options: AbortOptions): Promise<RequiredTerms | null> {
    const runs = match.kind === 'near' ? match.phrases.flatMap(runsOf) : [match];
    const lists = (await Promise.all(runs.map((run) => this.#termsIn(run, options)))).flat();
    return lists.length === 0 || lists.some((list) => list.length === 0) ? null : distinctLists(lists);
  }

  /** The chunks most likely to match a unit: those with all its terms, best first by the other terms, then by its own. */
  async #candidates(
    { match, all, filters, terms }: CandidateRequest,
    state: WordState,
    options: AbortOptions,
  ): Promise<readonly PostedHit[]> {
    const own = (await this.#allOf(match, options)) ?? [];
    const weighed = await this.#byRarity(own.flat(), state, options);
    const ranked = terms.length > 0 ? terms : weighed;
    const hits = await this.#engine.rank(
      {
        terms: ranked,
        all: [...all, ...own],
        filters,
        averageLength: state.averageLength,
        limit: CHECKED_CANDIDATES,
      },
      options,
    );
    return hits.slice(0, CHECKED_CANDIDATES);
  }

  /** Terms with next to no weight, for rankings in which other units decide. */
  async #byRarity(
    terms: readonly string[],
    state: WordState,
    options: AbortOptions,
  ): Promise<readonly (WeighedTerm & { readonly frequency: number })[]> {
    const distinct = [...new Set(terms)];
    const counts = await this.#termCounts(distinct, state, options);
    return unitsByRarity(
      distinct.map((term, at) => ({ term, weight: 1, frequency: counts[at] ?? 0 })),
      { chunks: 0 },
    ).rare.map((unit) => {
      const weight = COMMON_FACTOR * weighUnit(unit, state.size, true).idf;
      return { term: unit.term, frequency: unit.frequency, weight, inCode: weight };
    });
  }

  /** The best `limit` hits and all that tie with the last, in final order, and whether there are no others. */
  async #ranked(task: Task, limit: number, options: AbortOptions): Promise<RankedHits> {
    const first = await this.#rankedBy(task, task.ranking, { limit, options });
    if (!first.isAll || task.common.length === 0) return first;
    const last = await this.#rankedBy(task, task.common, { limit: limit + first.hits.length, options });
    const known = new Set(first.hits.map(({ chunkId }) => chunkId));
    return { hits: [...first.hits, ...last.hits.filter(({ chunkId }) => !known.has(chunkId))], isAll: last.isAll };
  }

  async #rankedBy(
    { filters, all, state }: Task,
    units: readonly Weighed[],
    { limit, options }: { readonly limit: number; readonly options: AbortOptions },
  ): Promise<RankedHits> {
    const checked = units.filter((unit) => unit.kind === 'checked');
    const own = units.filter((unit) => unit.kind === 'term');
    const requirements = await Promise.all(checked.map(({ match }) => this.#allOf(match, options)));
    const terms =
      own.length > 0
        ? sumOf(own)
        : await this.#byRarity(
            requirements.flatMap((one) => one?.flat() ?? []),
            state,
            options,
          );
    const { averageLength } = state;
    const base = await this.#engine.rank({ terms, all, filters, averageLength, limit }, options);
    const hits = new Map(base.map((hit) => [hit.chunkId, hit]));
    const lists = await Promise.all(
      checked.map(({ match }) => this.#candidates({ match, all, filters, terms }, state, options)),
    );
    const inReach = own.length > 0 ? [] : base;
    const ids = new Set([...lists.flat(), ...inReach].map(({ chunkId }) => chunkId));
    const words = checked.length === 0 ? new Map<ChunkId, PassageWords>() : await this.#words([...ids], options);
    for (const hit of [...lists.flat(), ...inReach]) hits.set(hit.chunkId, hits.get(hit.chunkId) ?? hit);
    for (const [id, passage] of words) {
      const hit = hits.get(id);
      if (hit === undefined) continue;
      let { score } = hit;
      for (const { match, weight, inCode } of checked) {
        const count = countIn(passage, match);
        if (count > 0)
          score += (passage.isCode ? inCode : weight) * saturated(count, passage.length, state.averageLength);
      }
      hits.set(id, { ...hit, score });
    }
    return { hits: [...hits.values()].map(rounded).toSorted(byScore), isAll: base.length < limit };
  }

  /** The first hits that are still there and meet what only texts can tell. */
  async #checked(
    { query, state }: Task,
    hits: readonly PostedHit[],
    limit: number,
    options: AbortOptions,
  ): Promise<readonly PostedHit[]> {
    const { phrases, excluded, demands = [] } = query;
    const isPlain = phrases.length === 0 && excluded.length === 0 && demands.length === 0;
    if (isPlain && state.isCurrent) return hits.slice(0, limit);
    const checked: PostedHit[] = [];
    for (let from = 0; from < hits.length && checked.length < limit;) {
      const some = hits.slice(from, from + Math.max(MIN_CHECKED_AT_ONCE, limit - checked.length));
      const words = await this.#words(
        some.map(({ chunkId }) => chunkId),
        options,
      );
      checked.push(...some.filter(({ chunkId }) => meets(words.get(chunkId), query)));
      from += some.length;
    }
    return checked.slice(0, limit);
  }

  /** The words of passages; chunks that are gone are left out. */
  async #words(ids: readonly ChunkId[], options: AbortOptions): Promise<ReadonlyMap<ChunkId, PassageWords>> {
    if (ids.length === 0) return new Map();
    const documents = await this.#documents();
    const passages = await documents.getChunks(ids);
    const first = passages.flatMap(({ chunk }) => (chunk.ordinal === 0 ? [chunk.chunkId] : []));
    const extras =
      first.length === 0 ? new Map<ChunkId, readonly string[]>() : await this.#engine.extras(first, options);
    return new Map(
      passages.map((passage) => {
        const { chunkId } = passage.chunk;
        return [chunkId, new PassageWords(passage, extras.get(chunkId) ?? [])];
      }),
    );
  }
}

interface CountedUnit extends RankingUnit, UnitCount {}

/** A unit of a ranking: a term, or what only texts can tell. */
type Weighed =
  | ({ readonly kind: 'term'; readonly frequency: number } & WeighedTerm)
  | ({ readonly kind: 'checked'; readonly match: UnitMatch } & Omit<WeighedTerm, 'term'>);

/** A search that has been read. */
interface Task {
  readonly query: AnalysedQuery;
  readonly filters: SearchFilters;
  readonly state: WordState;
  readonly all: RequiredTerms;
  readonly ranking: readonly Weighed[];
  /** Units that half of the chunks match; they rank what no other unit matches. */
  readonly common: readonly Weighed[];
}

interface CandidateRequest {
  readonly match: UnitMatch;
  readonly all: RequiredTerms;
  readonly filters: SearchFilters;
  readonly terms: readonly (WeighedTerm & { readonly frequency: number })[];
}

interface RankedHits {
  readonly hits: readonly PostedHit[];
  readonly isAll: boolean;
}

/** Each list once, and no more than an engine can combine: texts tell the rest. */
function distinctLists(lists: RequiredTerms): RequiredTerms {
  return [...new Map(lists.map((list) => [list.join('\0'), list])).values()].slice(0, MAX_REQUIRED);
}

/** Each term once, with the sum of its weights, in order. */
function sumOf(
  units: readonly Extract<Weighed, { kind: 'term' }>[],
): readonly (WeighedTerm & { readonly frequency: number })[] {
  const terms = new Map<string, WeighedTerm & { readonly frequency: number }>();
  for (const { term, weight, inCode, frequency } of units) {
    const known = terms.get(term);
    terms.set(term, {
      term,
      frequency,
      weight: weight + (known?.weight ?? 0),
      inCode: inCode + (known?.inCode ?? 0),
    });
  }
  return [...terms.values()];
}

function tokensOf(run: WordRun): readonly string[] {
  const lookup = lookupOf({ ...run, isPrefix: false });
  if (lookup.kind === 'term') return lookup.term.split(' ');
  return lookup.kind === 'checked' ? lookup.tokens : [];
}

function countIn(passage: PassageWords, match: UnitMatch): number {
  return match.kind === 'near' ? Number(passage.isNear(match)) : passage.count(match);
}

/** Whether a passage meets what only its text can tell; a passage that is gone does not. */
function meets(words: PassageWords | undefined, { phrases, excluded, demands = [] }: AnalysedQuery): boolean {
  if (words === undefined) return false;
  return (
    phrases.every((phrase) => words.holds(phrase)) &&
    demands.every((demand) =>
      demand.kind === 'near'
        ? words.isNear(demand)
        : demand.phrases.some((phrase) => words.holds(phrase)) || demand.words.some((word) => words.matches(word)),
    ) &&
    !excluded.some((phrase) => words.holds(phrase))
  );
}

function rounded(hit: PostedHit): PostedHit {
  return { ...hit, score: comparedScore(hit.score) };
}

function byScore(a: PostedHit, b: PostedHit): number {
  return (
    b.score - a.score ||
    compareCodePoints(a.path, b.path) ||
    a.ordinal - b.ordinal ||
    compareCodePoints(a.sourceId, b.sourceId)
  );
}
