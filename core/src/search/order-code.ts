import { isFunctionWord } from '../analysis/words.ts';
import { letterPattern, type QueryShape } from './query-shape.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { KnownPassage } from './passage-cache.ts';

/**
 * What speaks for a unit beside its own score, which counts 1 for the best of the list; see decision 0035. Each is the most
 * that it adds.
 */
const FIT = {
  /** The score of the best unit of its file: a file about the matter holds several units that are. */
  bestOfFile: 0.75,
  /** The share of the query's words that its file holds, as far as its units are in the list. */
  heldByFile: 0.45,
  /** The share that stands in its head: leading comment, name, parameters, types. */
  heldByHead: 0.4,
  /** A name made of the query's words. */
  namedAlike: 0.15,
  /** A name with the first word of content in it: sentences on code begin with what it does. */
  namedByFirst: 0.22,
  /** What is offered to others is asked for more often than what serves it. */
  offered: 0.3,
};

/** A chunk that declares what the query names counts so many times more. */
const DECLARES = 2;
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
const MIN_COSINE_FALL = 0.1;

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
  /** Asked for only where there is code to order: taking a query apart costs a tenth of a search for one word. */
  readonly query: () => CodeQuery;
  /** Whether the scores are cosines, whose ratio means nothing. */
  readonly isCosine: boolean;
}

/**
 * Reorders source code so that the right unit of a file stands first and not just any. Beside its own score it counts how
 * well its head, its name and its file fit the query. What declares a named thing comes before what mentions it, files of
 * an asked path and the code itself before tests, generated and foreign files, and files in turn. Code hits trade places among
 * themselves only: every other hit stays where it is, and a place keeps its score, so that scores still fall along the list.
 */
export function orderCode({ entries, passages, query: read, isCosine }: CodeOrderRequest): readonly ChunkRank[] {
  const places = entries.flatMap(({ chunkId }, at) => (passages.get(chunkId)?.media === 'code' ? [at] : []));
  if (places.length < 2) return entries;
  const query = read();
  const scores = places.map((at) => entries[at]?.score ?? 0);
  const found = places.map((at, i): FoundUnit => {
    const entry = entries[at] as ChunkRank;
    const passage = passages.get(entry.chunkId) as CodePassage;
    const text = (passage.code ?? '').toLowerCase();
    return { entry, before: at + 1, passage, text, own: isCosine ? standing(scores, i) : shareOfBest(scores, i) };
  });
  const files = filesOf(found, query);
  const weighed = found.map((unit) => {
    const { entry, before, own, passage } = unit;
    const factor = factorOf(passage, query);
    const fit = fitOf(unit, files.get(passage.docId), query);
    return { entry, before, factor, fit, value: (own + fit) * factor, file: passage.docId };
  });
  const ordered = [...entries];
  for (const [i, { entry, before, factor, fit }] of inTurn(weighed).entries()) {
    const at = places[i] as number;
    ordered[at] = { ...entry, score: scores[i] ?? 0, code: { before, rank: at + 1, fit, factor } };
  }
  return ordered;
}

/** A unit of the list, before it is weighed. */
interface FoundUnit {
  readonly entry: ChunkRank;
  readonly before: number;
  readonly passage: CodePassage;
  /** What it says, lower case. */
  readonly text: string;
  /** Its own score, 1 for the best of the list. */
  readonly own: number;
}

interface Weighed {
  readonly entry: ChunkRank;
  readonly before: number;
  readonly factor: number;
  readonly fit: number;
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

function shareOfBest(scores: readonly number[], at: number): number {
  const best = scores[0] ?? 0;
  return best === 0 ? 0 : (scores[at] ?? 0) / best;
}

/** A cosine as a share of 1 (the best of the list) to a half (the last). */
function standing(scores: readonly number[], at: number): number {
  const best = scores[0] ?? 0;
  const fall = Math.max(best - (scores.at(-1) ?? 0), MIN_COSINE_FALL);
  return 1 - (best - (scores[at] ?? 0)) / fall / 2;
}

/** What the units of a file that are in the list are together. */
interface FoundFile {
  best: number;
  readonly held: Set<string>;
}

function filesOf(found: readonly FoundUnit[], { parts }: CodeQuery): ReadonlyMap<string, FoundFile> {
  const files = new Map<string, FoundFile>();
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

function fitOf({ passage, text }: FoundUnit, file: FoundFile | undefined, { parts, first }: CodeQuery): number {
  const name = nameParts(unitName(passage).name);
  const head = headOf(text);
  let heldByHead = 0;
  for (const part of parts) if (holds(head, part)) heldByHead++;
  const all = Math.max(1, parts.size);
  return (
    FIT.bestOfFile * (file?.best ?? 0) +
    FIT.heldByFile * ((file?.held.size ?? 0) / all) +
    FIT.heldByHead * (heldByHead / all) +
    FIT.namedAlike * likeness(name, parts) +
    (first !== null && name.includes(first) ? FIT.namedByFirst : 0) +
    (isOffered(head) ? FIT.offered : 0)
  );
}

/** Short words stand inside many others; of longer ones that is rare enough, and a tenth of the work. */
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

/** Lines that are comments in most languages; `#[` begins an attribute of Rust. */
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*|#(?!\[)|--)/;
const END_OF_HEAD = /(?:[{:;]|=>)\s*$/;
const MAX_HEAD = 800;

/** Where a unit says what it is: its leading comments, and what follows up to the line that opens its body. */
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

/** Said by the languages that have a word for it. */
const OFFERED = /^\s*(?:export|pub|public)\b/m;

function isOffered(head: string): boolean {
  return OFFERED.test(head);
}

function factorOf(passage: CodePassage, query: CodeQuery): number {
  const symbol = unitName(passage);
  const { code: text, workspacePath: path } = passage;
  const declares = query.names.some((asked) => isDeclaredBy(asked, symbol, text ?? ''));
  let factor = declares ? DECLARES : 1;
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
function likeness(parts: readonly string[], asked: ReadonlySet<string>): number {
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
  /** Its words of content, as {@link nameParts} gives them. */
  readonly parts: ReadonlySet<string>;
  /** The first of them; null for a query of one. */
  readonly first: string | null;
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
  const parts = nameParts(words.join(' '));
  return {
    parts: new Set(parts),
    first: parts.length > 1 ? (parts[0] ?? null) : null,
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
  const parts = words.map((word) => word.toLowerCase()).filter((word) => !isFunctionWord(word));
  return [...new Set(parts.map(stem))].filter((part) => part.length > 1);
}

/** Crude on purpose: it is only ever compared with itself. */
function stem(word: string): string {
  if (word.length < 4) return word;
  const plain = word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(SUFFIX, '');
  return plain.length < 2 ? word : plain;
}
