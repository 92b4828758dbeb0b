import { searchForm } from '../analysis/search-form.ts';
import { foldWord, hasLetterOrDigit, scanWords } from '../analysis/words.ts';
import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { LexicalIndex, NamedChunk } from '../contracts/lexical-index.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { Passage } from '../contracts/retriever.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { KnownPassage } from './known-passages.ts';

/**
 * What a query names: a file, a unit of code, a constant or an entry of a table, a document by its title, alias or base name, or a section by
 * its heading.
 */
export type NameKind = 'file' | 'symbol' | 'entry' | 'document' | 'heading';

/** A chunk that a query names. */
export interface NameMatch extends Pick<NamedChunk, 'chunkId' | 'docId' | 'ordinal' | 'workspacePath'> {
  readonly kind: NameKind;
  /** Whether the name is written as in the query, apart from case in prose. */
  readonly isExact: boolean;
  /**
   * Whether the file is named like the symbol, or like a query that is no identifier; of an entry, whether source code or a directive declares
   * it; of a heading, whether it is the identifier that the query consists of.
   */
  readonly isMain?: boolean | undefined;
  /** Whether the symbol is a member of another one. */
  readonly isMember?: boolean | undefined;
  /** Whether the symbol only announces what another unit defines. */
  readonly isAnnouncement?: boolean | undefined;
}

/** A longer query is a sentence. */
const MAX_NAME_WORDS = 14;
const MAX_NAME_LENGTH = 160;
/** More words than these are seldom folders with a file. */
const MAX_PLACED_WORDS = 4;
/** How many chunks with the words of a name are examined. */
const MAX_EXAMINED = 200;
/** A heading that so many sections have names none of them. */
const MAX_SAME_HEADING = 12;

const DECLARATION =
  /^(?:(?:pub|public|export|static|async|abstract|final)\s+)*(?:def|class|fn|func|function|struct|enum|trait|interface|type|const|let|var|val|impl|module|namespace|macro)\s+/i;

/** A query without the keywords of a declaration. */
function withoutKeywords(query: string): string {
  const name = query.replace(DECLARATION, '');
  return name === query || !/^[\p{L}_$]/u.test(name) ? query : name;
}

/** The text of a path without the extension of its file. */
function withoutExtension(path: string): string {
  return path.includes('.') ? path.replace(/(?<=[^./\\\s])\.[\p{L}\d]{1,8}$/u, '') : path;
}

/** Whether a name has several steps, as in `Engine::open` and `os.path.join`. */
function isQualifiedName(name: string): boolean {
  if (!/[.#]|::|->/.test(name)) return false;
  return /^[\p{L}_$~][\p{L}\p{N}_$~-]*(?:(?:::|\.|#|->)[\p{L}_$~][\p{L}\p{N}_$~-]*)+(?:\(\))?$/u.test(name);
}

/**
 * The chunks that a query as a whole names: of a document its first ones, of a section its beginning. None for a sentence, for a query with
 * operators, and when an index does not keep names apart.
 */
export async function matchNames(
  index: Pick<LexicalIndex, 'named' | 'analyseQuery'>,
  { query, filters }: { readonly query: AnalysedQuery; readonly filters: SearchFilters },
  options: AbortOptions = {},
): Promise<readonly NameMatch[]> {
  const { embeddingText, phrases, excluded, demands = [] } = query;
  if (index.named === undefined || phrases.length + excluded.length + demands.length > 0) return [];
  const name = readName(embeddingText);
  if (name === null) return [];
  const asked = index.analyseQuery(name.lookups.map((lookup) => `"${lookup}"`).join(' ')).phrases;
  const chunks = await index.named(asked, filters, MAX_EXAMINED, options);
  const matches = chunks.flatMap((chunk) => matchOf(chunk, name) ?? []);
  const headings = firstOfSections(matches.filter(({ kind }) => kind === 'heading'));
  return [...matches.filter(({ kind }) => kind !== 'heading'), ...(headings.length > MAX_SAME_HEADING ? [] : headings)];
}

/** A query read as a name. */
interface AskedName {
  /** Without keywords of a declaration and final punctuation. */
  readonly text: string;
  /** Folded, with slashes. */
  readonly folded: string;
  readonly tokens: string;
  readonly lastToken: string;
  /** The last steps of a qualified name, as tokens, longest first. */
  readonly endings: readonly string[];
  readonly isOneWord: boolean;
  readonly placed: readonly PlacedFile[];
  /** What to look for in the index. */
  readonly lookups: readonly string[];
}

/** A reading of a few words as folders and a file in them: `docs word list` is `word list` in `docs`, or `list` in `docs` and `word`. */
interface PlacedFile {
  /** Tokens. */
  readonly folders: readonly string[];
  readonly file: string;
  /** The file as typed, folded. */
  readonly typed: string;
}

function readName(query: string): AskedName | null {
  const typed = query.replaceAll('"', ' ').trim();
  const text = withoutKeywords(typed).replace(/(?:\s*[?!:;,.]+|\(\))$/u, '');
  const words = scanWords(searchForm(text));
  if (words.length === 0 || words.length > MAX_NAME_WORDS || text.length > MAX_NAME_LENGTH) return null;
  const last = text.replace(/\/+$/, '').slice(text.replace(/\/+$/, '').lastIndexOf('/') + 1);
  const steps = isQualifiedName(text) ? text.split(/::|[.#]|->/) : [];
  const endings = steps.map((_, at) => steps.slice(at).join(' ')).slice(1);
  const placed = readingsInFolders(text);
  const inFolders = placed.map((reading) => withoutExtension(reading.typed));
  const lookups = [text, last, withoutExtension(last), ...endings.slice(-2), ...inFolders];
  const tokens = tokenRow(text);
  return {
    text,
    folded: foldedForm(text.replaceAll('\\', '/').replace(/^\.\//, '')),
    tokens,
    lastToken: tokens.slice(tokens.lastIndexOf(' ') + 1),
    endings: endings.map(tokenRow),
    isOneWord: !/\s/.test(text),
    placed,
    lookups: [...new Set(lookups)].filter(hasLetterOrDigit),
  };
}

function readingsInFolders(text: string): readonly PlacedFile[] {
  const words = text.split(/\s+/);
  if (words.length > MAX_PLACED_WORDS || /[\\/]/.test(text)) return [];
  return words.slice(1).map((_, at): PlacedFile => {
    const file = words.slice(at + 1).join(' ');
    const folders = tokenRow(words.slice(0, at + 1).join(' ')).split(' ');
    return { folders, file: tokenRow(file), typed: foldedForm(file) };
  });
}

function foldedForm(text: string): string {
  return foldWord(searchForm(text));
}

function tokenRow(text: string): string {
  const words = scanWords(searchForm(text).replaceAll(/[-._/\\:#>]/g, ' '));
  return words.map((word) => foldWord(word.text)).join(' ');
}

function matchOf(chunk: NamedChunk, name: AskedName): NameMatch | null {
  const { chunkId, docId, ordinal, workspacePath } = chunk;
  const match = (kind: NameKind, isExact: boolean): NameMatch => {
    return { chunkId, docId, ordinal, workspacePath, kind, isExact };
  };
  const heading = chunk.symbol === null ? chunk.headingPath.at(-1) : undefined;
  const names = [chunk.title, ...chunk.aliases];
  // Most chunks have the words in their text alone, and reading each name word by word takes longer than looking for the last word.
  const called = foldedForm([workspacePath, chunk.symbol ?? '', heading ?? '', ...names].join('\n'));
  if (!called.includes(name.lastToken)) return null;
  const path = foldedForm(workspacePath);
  if (isEnding(path, name.folded) && (withoutExtension(name.folded) !== name.folded || name.folded.startsWith('.')))
    return match('file', isEnding(workspacePath, name.text));
  const stem = withoutExtension(path);
  const symbol = chunk.symbol === null ? null : symbolMatch(chunk.symbol, name);
  if (symbol !== null && chunk.symbol !== null)
    return {
      ...match('symbol', symbol),
      isMain: isNamedLike(stem, name),
      isMember: isMemberIn(workspacePath, chunk.symbol),
    };
  if (isEnding(path, name.folded) || isEnding(stem, name.folded))
    return { ...match('document', true), isMain: identifierIn(name.text) === null };
  if (names.some((one) => foldedForm(one) === name.folded)) return match('document', true);
  if (names.some((one) => tokenRow(one) === name.tokens)) return match('document', false);
  const placed = placedIn(path, name);
  // `shell_completion` is not `shell-completion`.
  if (placed !== null) return match('document', /[-_.]/.test(placed) && isEnding(stem, withoutExtension(placed)));
  if (name.tokens.includes(' ') && ` ${tokenRow(stem)}`.endsWith(` ${name.tokens}`)) return match('document', false);
  if (heading === undefined || chunk.headingPath.length === 0) return null;
  const row = tokenRow(heading.replace(/^(?:§?\d+(?:\.\d+)*\.?)\s+/, ''));
  if (row === name.tokens || tokenRow(heading) === name.tokens)
    return {
      ...match('heading', foldedForm(heading) === name.folded),
      // The section of a constant says more about it than a table with it.
      isMain: heading === name.text && identifierIn(name.text) !== null,
    };
  return name.endings.slice(0, -1).includes(row) ? match('heading', false) : null;
}

/** The last words as typed, if they name the file and the words before them some of its folders, in their order; else null. */
function placedIn(path: string, { placed }: AskedName): string | null {
  if (placed.length === 0) return null;
  const end = path.lastIndexOf('/') + 1;
  const files = [tokenRow(withoutExtension(path.slice(end))), tokenRow(path.slice(end))];
  const inPath = tokenRow(path.slice(0, end)).split(' ');
  const reading = placed.find(({ folders, file }) => {
    let from = 0;
    return files.includes(file) && folders.every((folder) => (from = inPath.indexOf(folder, from) + 1) > 0);
  });
  return reading?.typed ?? null;
}

/** Whether a file has the name of a symbol, whatever separates its words: `Retry` in `retry.py`, `PassageCache` in `passage-cache.ts`. */
function isNamedLike(stem: string, { folded }: AskedName): boolean {
  return lettersOnly(stem.slice(stem.lastIndexOf('/') + 1)) === lettersOnly(folded.slice(folded.search(/[^.#:]*$/)));
}

function lettersOnly(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a symbol belongs to another one in its file, whose path its name begins with. */
function isMemberIn(path: string, symbol: string): boolean {
  const steps = symbol.replace(/ \[part .*$/, '').split(/::|[./#]|->/);
  const folders = withoutExtension(path).split(/[/.]/);
  const start = folders.findIndex((_, at) => folders.slice(at).every((folder, i) => folder === steps[i]));
  return start >= 0 && steps.length - (folders.length - start) > 1;
}

function isEnding(path: string, asked: string): boolean {
  return path === asked || path.endsWith(`/${asked}`);
}

/** Whether the unit has the name: true when case is equal too, null when not. Further parts of a long unit only continue it. */
function symbolMatch(symbol: string, { text, isOneWord }: AskedName): boolean | null {
  const [, whole = symbol, part] = /^(.*?) \[part (\d+)\/\d+\]$/.exec(symbol) ?? [];
  if (part !== undefined && part !== '1') return null;
  if (!isOneWord) {
    // the title of a test; shorter ones are what people write about anything
    const isTitle = /\s\S+\s/.test(text) && whole.toLowerCase().endsWith(text.toLowerCase());
    return isTitle && /[.:/#]$/.test(whole.slice(0, -text.length)) ? whole.endsWith(text) : null;
  }
  const steps = whole.split(/::|[./#]|->/);
  const asked = text.split(/::|[./#]|->/).filter((step) => step !== '');
  if (asked.length === 0 || asked.length > steps.length) return null;
  const own = steps.slice(-asked.length);
  if (own.every((step, at) => step === asked[at])) return true;
  return own.every((step, at) => step.toLowerCase() === asked[at]?.toLowerCase()) ? false : null;
}

function firstOfSections(matches: readonly NameMatch[]): readonly NameMatch[] {
  const first = new Map<string, NameMatch>();
  for (const match of matches.toSorted((a, b) => a.ordinal - b.ordinal))
    if (!first.has(match.docId)) first.set(match.docId, match);
  return [...first.values()];
}

/** How many named passages come first. */
const MAX_NAMED = 10;

const KIND_ORDER = [
  'file',
  'symbol',
  'main document',
  'member',
  'main entry',
  'prototype',
  'document',
  'main heading',
  'entry',
  'heading',
] as const;

function orderOf({ kind, isMain = false, isMember = false, isAnnouncement = false }: NameMatch): number {
  if (kind !== 'symbol') return KIND_ORDER.indexOf(isMain && kind !== 'file' ? `main ${kind}` : kind);
  return KIND_ORDER.indexOf(isAnnouncement ? 'prototype' : isMember ? 'member' : kind);
}

/** Files of declarations alone. */
const STUB_PATH = /\.(?:pyi|d\.[cm]?ts)$/;
/** Languages in which a declaration without a body ends with a semicolon. */
const WITH_PROTOTYPES = /\.(?:[ch]|cc|hh|[ch]pp|[ch]xx|mm?|cs|java|rs|[cm]?ts|php)$/;

/** Whether a unit of code has no body: a prototype, a forward declaration, a stub. */
export function isPrototype({ workspacePath, code }: Pick<KnownPassage, 'workspacePath' | 'code'>): boolean {
  if (STUB_PATH.test(workspacePath)) return true;
  if (code === null || !WITH_PROTOTYPES.test(workspacePath)) return false;
  const bare = code
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, '()')
    .replace(/= 0;\s*$/, ';');
  return /;\s*$/.test(bare) && !/[{=]|\bpub struct\b/.test(bare);
}

/** Matches paths of tests. */
export const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|testdata|fixtures?|__mocks__|mocks?)\/|[._-](?:test|tests|spec)\.[^/]+$|(?:^|\/)(?:test_[^/]*|conftest\.py)$|Tests?\.(?:java|kt)$/;

const EXAMPLE_PATH = /(?:^|\/)(?:examples?|samples?|demos?)\//;

function isAside({ workspacePath }: NameMatch): boolean {
  return TEST_PATH.test(workspacePath) || EXAMPLE_PATH.test(workspacePath);
}

/**
 * Puts the passages that the query names first, whether the lists have them or not: files, then declarations, then documents and sections;
 * those written as in the query before others, and then in the order of the list.
 */
export function putNamedFirst(entries: readonly ChunkRank[], named: readonly NameMatch[]): readonly ChunkRank[] {
  if (named.length === 0) return entries;
  const places = new Map(entries.map(({ chunkId }, at) => [chunkId, at]));
  const ranked = named.toSorted(
    (a, b) =>
      Number(b.isExact) - Number(a.isExact) ||
      Number(isAside(a)) - Number(isAside(b)) ||
      orderOf(a) - orderOf(b) ||
      Number(STUB_PATH.test(a.workspacePath)) - Number(STUB_PATH.test(b.workspacePath)) ||
      Number(b.isMain ?? false) - Number(a.isMain ?? false) ||
      (places.get(a.chunkId) ?? Infinity) - (places.get(b.chunkId) ?? Infinity) ||
      a.workspacePath.length - b.workspacePath.length ||
      a.ordinal - b.ordinal,
  );
  const first = ranked
    .filter(({ chunkId }, at) => ranked.findIndex((one) => one.chunkId === chunkId) === at)
    .slice(0, MAX_NAMED);
  const best = entries[0]?.score ?? 1;
  const known = new Map(entries.map((entry) => [entry.chunkId, entry]));
  const isNamed = new Set(first.map(({ chunkId }) => chunkId));
  return [
    ...first.map(({ chunkId, kind }): ChunkRank => {
      const entry = known.get(chunkId) ?? { chunkId, score: best, lexical: null, vector: null, fusionScore: null };
      return { ...entry, score: best, named: kind };
    }),
    ...entries.filter(({ chunkId }) => !isNamed.has(chunkId)),
  ];
}

/** Of each named document the first passage that is a text; of everything else each passage, prototypes marked. */
export function representatives(
  matches: readonly NameMatch[],
  passages: ReadonlyMap<ChunkId, Pick<KnownPassage, 'kind' | 'workspacePath' | 'code'>>,
): readonly NameMatch[] {
  const byDocument = new Map<DocumentId, NameMatch>();
  const others: NameMatch[] = [];
  for (const match of matches.toSorted((a, b) => a.ordinal - b.ordinal)) {
    if (match.kind !== 'file' && match.kind !== 'document') {
      const passage = passages.get(match.chunkId);
      others.push({
        ...match,
        isAnnouncement: match.kind === 'symbol' && passage !== undefined && isPrototype(passage),
      });
    } else {
      const known = byDocument.get(match.docId);
      const isBetter = known === undefined || (isBare(known) && !isBare(match) && passages.has(match.chunkId));
      if (isBetter) byDocument.set(match.docId, match);
    }
  }
  return [...byDocument.values(), ...others];

  function isBare({ chunkId }: NameMatch): boolean {
    const kind = passages.get(chunkId)?.kind ?? 'content';
    return kind !== 'content';
  }
}

/** The identifier that a query consists of; null for a plain word, and for several words. */
function identifierIn(query: string): string | null {
  const name = query.trim();
  if (/\s/.test(name) || !/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return null;
  return /[_$\p{N}]|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u.test(name) ? name : null;
}

/** Whether a text declares a name: a constant, a macro, an entry of a table, a list of definitions or a directive. */
export function declares(text: string, name: string): boolean {
  const escaped = name.replaceAll(/[$.*+?^{}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(
    [
      // const int NAME[] = …, pub static NAME: u8 = …, NAME = …, NAME: …
      String.raw`^(?![ \t]*(?:case\b|[*\x2f]+[ \t]))[ \t]*(?:@[\w.]+[ \t]+)*(?:[\w:<>&*,[\]'][\w:<>&*,[\]' \t]*[ \t*&]|\*)?${escaped}(?:\[[^\]\n]*\])*[ \t]*(?::[^=\n]+)?(?::=|=(?!=)|:(?!:))`,
      // static int *NAME[SIZE];, private final Log NAME;
      String.raw`^(?:[ \t]+(?=(?:private|public|protected|static|final|const|mutable|volatile)[ \t]))?(?!(?:return|delete|goto|throw|else|typedef|using|import|export|package|extern)\b|(?:struct|union|enum|class)[ \t]+\w+;)(?:[\w<>[\]:,]+[ \t*&]+)+${escaped}(?:\[[^\]\n]*\])*[ \t]*[,;]`,
      // enum … { A, NAME, B }
      String.raw`\benum\b[^{;]{0,200}\{(?:[^}]{0,2000},)?\s*${escaped}\s*[,=}(;]`,
      String.raw`^[ \t]*#[ \t]*define[ \t]+${escaped}\b`,
      // a function or a type within a function, which is no unit of its own
      String.raw`^[ \t]*(?:(?:export|pub(?:\(\w+\))?|static|async|unsafe|local|public|private|protected|internal|inline|override|suspend|open|abstract|final)[ \t]+)*(?:def|class|function\*?|fn|func|fun|sub|struct|enum|interface)[ \t]+${escaped}(?=[ \t]*(?:[(:<{=;]|extends\b|implements\b|$))`,
      // an enumeration's member
      String.raw`^[ \t]*${escaped}[ \t]*(?:\([^)\n]*\))?,?[ \t]*(?:\/\/.*|#.*)?$`,
      // | NAME | …, - \`NAME\`: …, **NAME** …, "NAME": …, NAME,…
      String.raw`^[ \t]*\|[ \t]*[\x60*"']*${escaped}[\x60*"']*[ \t]*\|`,
      String.raw`^[ \t]*(?:[-*+][ \t]+)?[\x60*"']{1,3}${escaped}[\x60*"']{1,3}[ \t]*(?:[:—–=-]|$)`,
      String.raw`^[ \t]*(?:[-*+][ \t]+)?${escaped}[ \t]*(?:[,;\t—–]|::|[ \t]-[ \t])`,
      directiveOf(escaped),
      String.raw`<(?:dt|th|td)[^>]*>[ \t]*(?:<code>)?${escaped}<`,
    ].join('|'),
    'mu',
  ).test(text);
}

/** Statements that only name what other files declare. */
const IMPORTS =
  /^[ \t]*(?:import|export)\b[^;'"`=]*['"][^'"\n]*['"];?|^[ \t]*from\s+\S+\s+import\s+(?:\([^)]*\)|.*)|^[ \t]*(?:pub\s+)?use\s[^;]*;/gmu;

/** A text without its imports, line for line. */
export function withoutImports(text: string): string {
  return text.replaceAll(IMPORTS, (statement) => statement.replaceAll(/[^\n]+/g, ''));
}

/** Matches `.. class:: web.Runner(app)` and the like, whatever qualifies the name. */
function directiveOf(escaped: string): string {
  return String.raw`^[ \t]*\.\.[ \t]+[\w:-]+::[ \t]+(?:[\w.:]+(?:\.|::))?${escaped}(?![\w.])`;
}

/** The one name that a query consists of, an identifier or a qualified name; null for plain words. */
export function declaredName(query: string): string | null {
  const name = query.trim();
  return isQualifiedName(name) ? name.replace(/\(\)$/, '') : identifierIn(name);
}

/**
 * The passages of a list that declare a name. A manual qualifies its names once for a page, so that a qualified name is declared by a
 * directive with its last part.
 */
export function declaringEntries(passages: readonly Passage[], name: string): readonly NameMatch[] {
  const isQualified = isQualifiedName(name);
  const last = name.slice(name.search(/[^.:#>]+$/)).replaceAll('$', String.raw`\$`);
  const directive = new RegExp(directiveOf(last), 'mu');
  // An assignment within a function and a parameter look like an entry of a table.
  const doubtful = new RegExp(String.raw`^[ \t]+${last}[ \t]*(?:\[[^\]\n]*\][ \t]*)*[:=](?![:=]).*`, 'gmu');
  return passages.flatMap((passage): readonly NameMatch[] => {
    const { chunkId, docId, ordinal, workspacePath, media } = passage;
    const text = withoutImports(passage.text);
    const isDirective = media !== 'code' && directive.test(text);
    if (!isDirective && (isQualified || !declares(text, name))) return [];
    const isMain = isDirective || (media === 'code' && declares(text.replaceAll(doubtful, ''), name));
    return [{ chunkId, docId, ordinal, workspacePath, kind: 'entry', isExact: true, isMain }];
  });
}
