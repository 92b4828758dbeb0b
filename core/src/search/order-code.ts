import { letterPattern } from '../analysis/letter-pattern.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { KnownPassage } from './passage-cache.ts';
import type { QueryShape } from './query-shape.ts';

/** A chunk that declares what the query names counts so many times more. */
const DECLARES = 2;
/** The most that a name made of the query's words adds. */
const NAMED_ALIKE = 0.4;
/** One word in common is chance; from two on the name counts fully. */
const CONVINCING_PARTS = 2;
const ASKED_PATH = 1.5;
const TEST = 0.85;
const GENERATED_OR_FOREIGN = 0.7;
/** Imports and loose statements hold many words and explain none. */
const BETWEEN_UNITS = 0.85;
/** Every earlier chunk of the same file takes this much off. */
const SAME_FILE = 0.97;
/** Cosines of one list lie close together: a fall of this much at least halves the score that is multiplied. */
const LEAST_COSINE_FALL = 0.1;

const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|testdata|fixtures?|__mocks__|mocks?)\/|[._-](?:test|tests|spec)\.[^/]+$|(?:^|\/)(?:test_[^/]*|conftest\.py)$|Tests?\.(?:java|kt)$/;
const FOREIGN_PATH =
  /(?:^|\/)(?:vendor|vendored|third_party|third-party|external|node_modules|dist|bundle|generated|gen|__generated__)\/|\.min\.[cm]?js$|[._-]generated\.|\.pb\.(?:go|cc|h)$|_pb2\.py$/;

/** What is looked at in a passage. */
type CodePassage = Omit<KnownPassage, 'chunkId' | 'print'>;

/** What code is ordered with. */
interface CodeOrderRequest {
  readonly entries: readonly ChunkRank[];
  /** What the entries say; one that is missing stays where it is. */
  readonly passages: ReadonlyMap<ChunkId, CodePassage>;
  readonly query: CodeQuery;
  /** Whether the scores are cosines, which do not tell by their ratio. */
  readonly isCosine: boolean;
}

/**
 * Orders source code anew: what declares a named thing before what mentions it, units named like the query, files of an
 * asked path, the code itself before tests, generated and foreign files, and files in turn. Code hits trade places among
 * themselves only: every other hit stays where it is, and a place keeps its score, so that scores still fall along the list.
 */
export function orderCode({ entries, passages, query, isCosine }: CodeOrderRequest): readonly ChunkRank[] {
  const places = entries.flatMap(({ chunkId }, at) => (passages.get(chunkId)?.media === 'code' ? [at] : []));
  if (places.length < 2) return entries;
  const scores = places.map((at) => entries[at]?.score ?? 0);
  const weighed = places.map((at, i) => {
    const entry = entries[at] as ChunkRank;
    const passage = passages.get(entry.chunkId) as CodePassage;
    const factor = factorOf(passage, query);
    const value = isCosine ? standing(scores, i) : (scores[i] ?? 0);
    return { entry, before: at + 1, factor, value: value * factor, file: passage.docId };
  });
  const ordered = [...entries];
  for (const [i, { entry, before, factor }] of inTurn(weighed).entries()) {
    const at = places[i] as number;
    ordered[at] = { ...entry, score: scores[i] ?? 0, code: { before, rank: at + 1, factor } };
  }
  return ordered;
}

interface Weighed {
  readonly entry: ChunkRank;
  readonly before: number;
  readonly factor: number;
  readonly value: number;
  readonly file: string;
}

/** Takes the best again and again, where each chunk counts the less the more of its file were taken; ties keep their order. */
function inTurn(weighed: readonly Weighed[]): readonly Weighed[] {
  const left = [...weighed];
  const taken = new Map<string, number>();
  const valueOf = ({ value, file }: Weighed): number => value * SAME_FILE ** (taken.get(file) ?? 0);
  const ordered: Weighed[] = [];
  while (left.length > 0) {
    let best = 0;
    for (let i = 1; i < left.length; i++) if (valueOf(left[i] as Weighed) > valueOf(left[best] as Weighed)) best = i;
    const [next] = left.splice(best, 1) as [Weighed];
    taken.set(next.file, (taken.get(next.file) ?? 0) + 1);
    ordered.push(next);
  }
  return ordered;
}

/** A cosine as a share of 1 (the best of the list) to a half (the last). */
function standing(scores: readonly number[], at: number): number {
  const best = scores[0] ?? 0;
  const fall = Math.max(best - (scores.at(-1) ?? 0), LEAST_COSINE_FALL);
  return 1 - (best - (scores[at] ?? 0)) / fall / 2;
}

function factorOf(passage: CodePassage, query: CodeQuery): number {
  const symbol = unitName(passage);
  const { code: text, workspacePath: path } = passage;
  const declares = query.names.some((asked) => isDeclaredBy(asked, symbol, text ?? ''));
  let factor = declares ? DECLARES : 1 + NAMED_ALIKE * likeness(symbol.name, query.parts);
  if (query.paths.some((asked) => isAt(path, asked))) factor *= ASKED_PATH;
  if (!query.asksForTests && TEST_PATH.test(path)) factor *= TEST;
  if (FOREIGN_PATH.test(path)) factor *= GENERATED_OR_FOREIGN;
  if (symbol.name === '' && !declares && query.names.length === 0) factor *= BETWEEN_UNITS;
  return factor;
}

/** What a unit is called, and what it is part of; both empty for stretches between units. */
interface UnitName {
  readonly name: string;
  readonly owner: string;
}

function unitName({ symbol, sectionLabel }: CodePassage): UnitName {
  const whole = symbol ?? sectionLabel ?? '';
  if (/^<(?:top-level|module|manifest|dockerfile)>/.test(whole)) return { name: '', owner: '' };
  const steps = whole
    .replace(/ \[part .*$/, '')
    .split(/::|[./#]/)
    .map(bare);
  return { name: steps.at(-1) ?? '', owner: steps.at(-2) ?? '' };
}

const NO_PART_OF_A_UNIT = letterPattern(String.raw`[^\p{L}\p{N}_$~\-]`, 'gu');

function bare(step: string): string {
  return step.replaceAll(NO_PART_OF_A_UNIT(step), '');
}

function isDeclaredBy({ name, owner, declaration }: AskedName, symbol: UnitName, text: string): boolean {
  if (symbol.name.toLowerCase() === name) return owner === null || symbol.owner.toLowerCase() === owner;
  return owner === null && declaration.test(text);
}

/** How far a name is made of the words of the query, from 0 to 1. */
function likeness(name: string, asked: ReadonlySet<string>): number {
  const parts = nameParts(name);
  const known = parts.filter((part) => asked.has(part)).length;
  return known === 0 ? 0 : (known / parts.length) * Math.min(1, known / CONVINCING_PARTS);
}

function isAt(path: string, asked: string): boolean {
  const whole = path.toLowerCase();
  return whole === asked || whole.endsWith(`/${asked}`) || whole.includes(`${asked}/`);
}

/** A name from code in a query: what it calls the thing itself, and what the thing is said to be part of. */
interface AskedName {
  readonly name: string;
  readonly owner: string | null;
  /** A line that declares it. */
  readonly declaration: RegExp;
}

/** A query as the order of source code reads it. */
interface CodeQuery {
  readonly parts: ReadonlySet<string>;
  readonly names: readonly AskedName[];
  /** Paths or file names in the query, lower case. */
  readonly paths: readonly string[];
  /** Whether it asks for tests, so that tests are no by-catch. */
  readonly asksForTests: boolean;
}

const KEYWORDS =
  'abstract class|class|const|def|enum|fn|fun|func|function\\*?|impl|interface|let|macro_rules!|mod|module|namespace|object|record|static|struct|trait|type|typedef|union|val|var|#define';
const TESTS = /\b(?:tests?|testing|specs?|mocks?|fixtures?|stubs?)\b/i;
const PATH = /[\w-]\/[\w-]|\w\.[A-Za-z]{1,5}$/;
const NO_PART_OF_A_NAME = letterPattern(String.raw`[^\p{L}\p{N}_$]`, 'gu');
const JOINTS = /::|[.#]/;

/** Reads what a query asks of source code. A query of one word asks for the thing of that name. */
export function codeQuery({ words, identifiers }: QueryShape): CodeQuery {
  const asked = words.length === 1 ? words : identifiers;
  return {
    parts: new Set(nameParts(words.join(' '))),
    names: asked.filter((word) => !word.includes('/')).flatMap(askedName),
    paths: identifiers.filter(isPath).map((word) => word.toLowerCase().replace(/^[./]+/, '')),
    asksForTests: TESTS.test(words.join(' ')),
  };
}

function isPath(word: string): boolean {
  return word.includes('/') || (PATH.test(word) && !/[A-Z(]/.test(word));
}

function askedName(word: string): readonly AskedName[] {
  const steps = word.split(JOINTS).map((step) => step.replaceAll(NO_PART_OF_A_NAME(step), ''));
  const named = steps.filter((step) => step !== '');
  const name = named.at(-1);
  if (name === undefined || name.length < 2) return [];
  const escaped = name.replaceAll('$', String.raw`\$`);
  const declaration = new RegExp(String.raw`(?:^|[\s(])(?:${KEYWORDS})\s+${escaped}(?![\p{L}\p{N}_$])`, 'mu');
  return [{ name: name.toLowerCase(), owner: named.at(-2)?.toLowerCase() ?? null, declaration }];
}

/** Words that say nothing about which piece of code is meant. */
const EMPTY_WORDS = new Set(
  'a an and are as at be by do does for from how i if in into is it its not of on or that the this to what when where which with you your'.split(
    ' ',
  ),
);
/** An acronym, with an s or without; a word of letters with case; letters without; a number. */
const WORD = letterPattern(
  String.raw`[\p{Lu}]{2,}s(?![\p{L}])|[\p{Lu}]+(?![\p{Ll}])|[\p{Lu}]?[\p{Ll}]+|[\p{Lo}\p{M}]+|[\p{N}]+`,
  'gu',
);
const SUFFIX = /(?:ations?|ings?|ers?|ors?|ed|es|s|e)$/;

/**
 * The words that a name or a sentence is made of, split at `_`, case changes and digits, lower case and cut to what their
 * forms share, in order: `parseHTTPUrls` is `pars`, `http`, `url`; so is "parsing of HTTP URLs".
 */
export function nameParts(text: string): readonly string[] {
  const words = text.match(WORD(text)) ?? [];
  const parts = words.map((word) => word.toLowerCase()).filter((word) => !EMPTY_WORDS.has(word));
  return [...new Set(parts.map(stem))].filter((part) => part.length > 1);
}

/** Crude on purpose: it is only ever compared with itself. */
function stem(word: string): string {
  if (word.length < 4) return word;
  const plain = word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(SUFFIX, '');
  return plain.length < 2 ? word : plain;
}
