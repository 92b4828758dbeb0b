import { isFunctionWord } from '../analysis/words.ts';
import type { QueryShape } from './query-shape.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { ChunkRank } from './chunk-rank.ts';
import { isPrototype, TEST_PATH } from './name-matches.ts';
import type { KnownPassage } from './known-passages.ts';

/**
 * The signals in favour of a unit besides its own score, which counts 1 for the best of the list; see decision 0035. Each value is its
 * maximum.
 */
const FIT = {
  /** The score of the best unit in its file: a relevant file contains several relevant units. */
  bestOfFile: 0.75,
  /** The share of the query's words in its file, as far as the file's units are in the list. */
  fileCoverage: 0.45,
  /** The share in its head: leading comment, name, parameters, types. */
  headCoverage: 0.4,
  /** A name that contains the first content word: sentences about code begin with what it does. */
  nameHasFirstWord: 0.22,
  /** Public units are asked for more often than their helpers. */
  isExported: 0.3,
};

/** The factor for a chunk that declares what the query names. */
const DECLARES = 2;
const QUERY_PATH = 1.5;
const TEST = 0.5;
const GENERATED_OR_FOREIGN = 0.7;
/** Imports and loose statements contain many words and explain none. */
const BETWEEN_UNITS = 0.85;
/** Prototypes and constants have the words of a name, and nothing of how it works. */
const WITHOUT_BODY = 0.75;
/** Cosines of one list are close together: a drop of at least this much halves the score. */
const MIN_COSINE_FALL = 0.1;

const FOREIGN_PATH =
  /(?:^|\/)(?:vendor|vendored|third_party|third-party|external|node_modules|dist|bundle|generated|gen|__generated__)\/|\.min\.[cm]?js$|[._-]generated\.|\.pb\.(?:go|cc|h)$|_pb2\.py$/;

/** The parts of a passage that code ordering reads. */
type CodePassage = Omit<KnownPassage, 'chunkId' | 'print' | 'headingTokens'>;

/** A request to order source code. */
interface CodeOrderRequest {
  readonly entries: readonly ChunkRank[];
  /** The passages of the entries; an entry without one keeps its position. */
  readonly passages: ReadonlyMap<ChunkId, CodePassage>;
  readonly query: CodeQuery;
  /** Whether the scores are cosines, whose ratios are meaningless. */
  readonly isCosine: boolean;
}

/**
 * Reorders source code so that the most relevant unit of a file comes first. Besides the unit's own score it rates how well its head, its
 * name and its file fit the query. Declarations of a named thing rank above mentions of it, files at a requested path and project code
 * above tests, generated and third-party files. Code hits only trade places with each other: every other hit keeps its position, and each
 * position keeps its score, so that scores still decrease along the list.
 */
export function orderCode({ entries, passages, query, isCosine }: CodeOrderRequest): readonly ChunkRank[] {
  const places = entries.flatMap(({ chunkId }, at) => (passages.get(chunkId)?.media === 'code' ? [at] : []));
  if (places.length < 2) return entries;
  const scores = places.map((at) => entries[at]?.score ?? 0);
  const units = places.map((at, i): CodeUnit => {
    const entry = entries[at] as ChunkRank;
    const passage = passages.get(entry.chunkId) as CodePassage;
    const text = (passage.code ?? '').toLowerCase();
    const own = isCosine ? standing(scores, i) : (scores[i] ?? 0) / (scores[0] || 1);
    return { entry, before: at + 1, passage, text, own };
  });
  const files = filesOf(units, query);
  const scored = units.map((unit) => {
    const factor = factorOf(unit.passage, query);
    const fit = fitOf(unit, files.get(unit.passage.docId), query);
    return { unit, factor, fit, value: (unit.own + fit) * factor };
  });
  const ordered = [...entries];
  for (const [i, { unit, factor, fit }] of scored.toSorted((a, b) => b.value - a.value).entries()) {
    const at = places[i] as number;
    ordered[at] = { ...unit.entry, score: scores[i] ?? 0, code: { before: unit.before, rank: at + 1, fit, factor } };
  }
  return ordered;
}

/** A unit in the list, before it is weighted. */
interface CodeUnit {
  readonly entry: ChunkRank;
  readonly before: number;
  readonly passage: CodePassage;
  /** Its text, in lower case. */
  readonly text: string;
  /** Its own score, 1 for the best of the list. */
  readonly own: number;
}

/** Scales a cosine from 1 (the best of the list) to a half (the last). */
function standing(scores: readonly number[], at: number): number {
  const best = scores[0] ?? 0;
  const fall = Math.max(best - (scores.at(-1) ?? 0), MIN_COSINE_FALL);
  return 1 - (best - (scores[at] ?? 0)) / fall / 2;
}

/** The units of a file that are in the list, taken together. */
interface FileUnits {
  best: number;
  readonly held: Set<string>;
}

function filesOf(found: readonly CodeUnit[], { parts }: CodeQuery): ReadonlyMap<string, FileUnits> {
  const files = new Map<string, FileUnits>();
  for (const { passage, text, own } of found) {
    let file = files.get(passage.docId);
    if (file === undefined) files.set(passage.docId, (file = { best: 0, held: new Set() }));
    file.best = Math.max(file.best, own);
    const label = (passage.symbol ?? passage.sectionLabel ?? '').toLowerCase();
    for (const part of parts)
      if (!file.held.has(part) && (holds(text, part) || holds(label, part))) file.held.add(part);
  }
  return files;
}

function fitOf({ passage, text }: CodeUnit, file: FileUnits | undefined, { parts, first }: CodeQuery): number {
  const name = nameParts(unitName(passage).name);
  const head = headOf(text);
  let headParts = 0;
  for (const part of parts) if (holds(head, part)) headParts++;
  const all = Math.max(1, parts.size);
  return (
    FIT.bestOfFile * (file?.best ?? 0) +
    FIT.fileCoverage * ((file?.held.size ?? 0) / all) +
    FIT.headCoverage * (headParts / all) +
    (first !== null && name.includes(first) ? FIT.nameHasFirstWord : 0) +
    (EXPORTS.test(head) ? FIT.isExported : 0)
  );
}

/** Short words occur inside many others; for longer ones that is rare enough, and substring search takes a tenth of the time. */
function holds(text: string, part: string): boolean {
  if (part.length > 2) return text.includes(part);
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    if (!isLetter(text, at - 1) && !isLetter(text, at + part.length)) return true;
  return false;
}

function isLetter(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0x61 && unit <= 0x7a;
}

/** Lines that are comments in most languages; `#[` begins an attribute in Rust. */
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*|#(?!\[)|--)/;
const END_OF_HEAD = /(?:[{:;]|=>)\s*$/;
const MAX_HEAD = 800;

/** The head of a unit: its leading comments, and what follows up to the line that opens its body. */
function headOf(text: string): string {
  for (let from = 0; from < Math.min(text.length, MAX_HEAD);) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(from, end);
    if (END_OF_HEAD.test(line) && !COMMENT_LINE.test(line)) return text.slice(0, Math.min(end, MAX_HEAD));
    from = end + 1;
  }
  return text.slice(0, MAX_HEAD);
}

/** Keywords of the languages that mark public units. */
const EXPORTS = /^\s*(?:export|pub|public)\b/m;

function factorOf(passage: CodePassage, query: CodeQuery): number {
  const symbol = unitName(passage);
  const { workspacePath: path } = passage;
  const declares = query.names.some((asked) => isDeclaredBy(asked, symbol));
  let factor = declares ? DECLARES : 1;
  if (query.paths.some((asked) => isAt(path, asked))) factor *= QUERY_PATH;
  if (!query.asksForTests && TEST_PATH.test(path)) factor *= TEST;
  if (!declares && query.parts.size > 1 && (isPrototype(passage) || ONLY_MACROS.test(passage.code ?? '')))
    factor *= WITHOUT_BODY;
  if (FOREIGN_PATH.test(path)) factor *= GENERATED_OR_FOREIGN;
  if (symbol.name === '' && !declares && query.names.length === 0) factor *= BETWEEN_UNITS;
  return factor;
}

const ONLY_MACROS = /^(?:\s*#[ \t]*(?:define|undef)\b[^{}\n]*(?:\n|$))+\s*$/;

/** The name of a unit, and its container; both empty for code between units. */
interface UnitName {
  readonly name: string;
  readonly owner: string;
  /** The trait that the unit implements for its container; empty for most. */
  readonly trait: string;
}

/** A member of an implementation, `<Type as Trait>::member`, by the last parts of its names. */
const IMPLEMENTED = /<(?:.*::)?([^:<>]+?)(?:<.*>)? as (?:.*::)?([^:<>]+?)>::([^:]+)$/;

function unitName({ symbol, sectionLabel }: CodePassage): UnitName {
  const whole = symbol ?? sectionLabel ?? '';
  if (/^<(?:top-level|module|manifest|dockerfile)>/.test(whole)) return { name: '', owner: '', trait: '' };
  const steps = whole
    .replace(/ \[part .*$/, '')
    .split(/::|[./#]/)
    .map(bare);
  const [, type, trait] = IMPLEMENTED.exec(whole) ?? [];
  return {
    name: steps.at(-1) ?? '',
    owner: type === undefined ? (steps.at(-2) ?? '') : bare(type),
    trait: bare(trait ?? ''),
  };
}

const NO_PART_OF_A_UNIT = /[^\p{L}\p{N}_$~-]/gu;

function bare(step: string): string {
  return step.replaceAll(NO_PART_OF_A_UNIT, '');
}

function isDeclaredBy({ name, owner }: QueryName, symbol: UnitName): boolean {
  if (symbol.name.toLowerCase() !== name) return false;
  return owner === null || symbol.owner.toLowerCase() === owner || symbol.trait.toLowerCase() === owner;
}

function isAt(path: string, asked: string): boolean {
  const whole = path.toLowerCase();
  return whole === asked || whole.endsWith(`/${asked}`) || whole.includes(`${asked}/`);
}

/** A name from code in a query: the thing itself, and its container. */
interface QueryName {
  readonly name: string;
  readonly owner: string | null;
}

/** A query as code ordering interprets it. */
interface CodeQuery {
  /** Its content words, as {@link nameParts} returns them. */
  readonly parts: ReadonlySet<string>;
  /** The first of them; null for a one-word query. */
  readonly first: string | null;
  readonly names: readonly QueryName[];
  /** Paths or file names in the query, lower case. */
  readonly paths: readonly string[];
  /** Whether it asks for tests, so that tests are not demoted. */
  readonly asksForTests: boolean;
}

const TESTS = /\b(?:tests?|testing|specs?|mocks?|fixtures?|stubs?)\b/i;
const PATH = /[\w-]\/[\w-]|\w\.[A-Za-z]{1,5}$/;
const NO_PART_OF_A_NAME = /[^\p{L}\p{N}_$]/gu;
const JOINTS = /::|[.#]/;

/** Interprets a query for source code. What a query of one word names is looked up before. */
export function codeQuery({ words, identifiers }: QueryShape): CodeQuery {
  const parts = nameParts(words.join(' '));
  return {
    parts: new Set(parts),
    first: parts.length > 1 ? (parts[0] ?? null) : null,
    names: identifiers.filter((word) => !word.includes('/')).flatMap(queryName),
    paths: identifiers
      .filter((word) => word.includes('/') || (PATH.test(word) && !/[A-Z(]/.test(word)))
      .map((word) => word.toLowerCase().replace(/^[./]+/, '')),
    asksForTests: TESTS.test(words.join(' ')),
  };
}

function queryName(word: string): readonly QueryName[] {
  const steps = word.split(JOINTS).map((step) => step.replaceAll(NO_PART_OF_A_NAME, ''));
  const named = steps.filter((step) => step !== '');
  const name = named.at(-1);
  if (name === undefined || name.length < 2) return [];
  return [{ name: name.toLowerCase(), owner: named.at(-2)?.toLowerCase() ?? null }];
}

/** An acronym, optionally with a plural s; a word of cased letters; letters without case; a number. */
const WORD = /\p{Lu}{2,}s(?!\p{L})|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{M}]+|\p{N}+/gu;
const SUFFIX = /(?:ations?|ings?|ers?|ors?|ed|es|s|e)$/;

/**
 * The words of a name or a sentence, split at `_`, case changes and digits, lower case and stemmed, in order: `parseHTTPUrls` gives `pars`,
 * `http`, `url`; so does "parsing of HTTP URLs".
 */
export function nameParts(text: string): readonly string[] {
  const words = text.match(WORD) ?? [];
  const parts = words.map((word) => word.toLowerCase()).filter((word) => !isFunctionWord(word));
  return [...new Set(parts.map(stem))].filter((part) => part.length > 1);
}

/** Deliberately crude: its results are only compared with each other. */
function stem(word: string): string {
  if (word.length < 4) return word;
  const plain = word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(SUFFIX, '');
  return plain.length < 2 ? word : plain;
}
