import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  blake3Short,
  canonicalJson,
  decodeText,
  definePlugin,
  paragraphsOf,
  throwIfCancelled,
  type BlockDraft,
  type CallContext,
  type ExtractInput,
  type ExtractWarning,
  type ExtractedDocument,
  type Extractor,
  type MediaMatch,
  type MediaType,
  type TextRange,
  type Plugin,
} from '@kebab/plugin';
import type * as TreeSitter from 'web-tree-sitter';
import type { Tree } from 'web-tree-sitter';
import { type BrokenUnit, withoutBroken } from './broken-code.ts';
import { chunkerIdOf, CodeChunker } from './code-chunker.ts';
import { codeConfig, type CodeConfig, type LanguagePack, type Syntax } from './language-pack.ts';
import { type Piece, PieceCutter, SourceText } from './piece-cutter.ts';
import { DefinitionSearch, findDefinitions, type FoundDefinitions, unitPatterns } from './find-definitions.ts';
import { DEEPEST_DEFINITION, walkUnits } from './walk-units.ts';

/** The maximum size of a parsed file: a literal of five megabytes takes seconds and most of a gigabyte to parse. */
const MAX_SOURCE_BYTES = 1_048_576;
/** The definitions in a longer line share one block: a minified bundle has thousands of them, all on line 1. */
export const LONG_LINE = 1000;
/** The chunker of files that could not be parsed. */
const FALLBACK_CHUNKER = 'code-text-paragraph-v1';

/** The pieces of a file according to its syntax tree, and the detected language. */
interface Cut {
  readonly pieces: readonly Piece[];
  readonly lang: string;
}

/**
 * Extracts source code into one `code` block per piece: a unit, the parts of a container outside its units, or the code between units. A
 * file that is too large or takes too long becomes paragraphs, with the warning `extract_failed`. Throws the error of the grammar's package
 * if it cannot be loaded.
 */
export class CodeExtractor implements Extractor {
  readonly id: string;
  readonly version: string;
  readonly match: MediaMatch;
  readonly isolation = 'worker';
  readonly spans = ['code'] as const;
  readonly #pack: LanguagePack;
  readonly #config: CodeConfig;

  constructor(pack: LanguagePack, config: CodeConfig) {
    this.id = `code-${pack.lang}`;
    this.version = String(pack.version);
    this.match = { codeLangs: [pack.lang] };
    this.#pack = pack;
    this.#config = config;
  }

  supports(media: MediaType): boolean {
    return media.kind === 'code' && media.lang === this.#pack.lang;
  }

  parserVersion(): string {
    return `code-${this.#pack.lang}-v${this.#pack.version}`;
  }

  chunkerId(): string {
    return chunkerIdOf(this.#pack.lang);
  }

  fingerprint(): string {
    const read = canonicalJson({
      long_line: LONG_LINE,
      max_source_bytes: MAX_SOURCE_BYTES,
      parse_timeout_ms: this.#config.parseTimeoutMs,
    });
    return `${this.id}@${this.version}:${blake3Short(read)}`;
  }

  async extract({ asset, bytes }: ExtractInput, { signal }: CallContext): Promise<ExtractedDocument> {
    throwIfCancelled(signal, `reading ${asset.workspacePath}`);
    const { text, warnings } = await decodeText(bytes);
    const source = new SourceText(text);
    const cut =
      bytes.length > MAX_SOURCE_BYTES ? 'it is larger than 1 MiB' : await this.#cut(source, asset.workspacePath);
    if (typeof cut === 'string') return this.#fallBack(source, warnings, cut);
    const { lang, pieces } = cut;
    return {
      text,
      blocks: joinLongLines(source, pieces).map((piece) => codeBlock(source, piece, { lang, symbol: piece.symbol })),
      metadata: { codeLang: lang },
      warnings,
    };
  }

  /** The cut by the first syntax without errors, otherwise by the one with the fewest; or the reason why none worked. */
  async #cut(source: SourceText, workspacePath: string): Promise<Cut | string> {
    const syntaxes = this.#pack.syntaxesFor(workspacePath);
    const trees: ParsedFile[] = [];
    try {
      for (const syntax of syntaxes) {
        const grammar = await loadGrammar(syntax);
        const tree = this.#unlessItFails(() => ParsedFile.parse({ syntax, grammar, source, isLate: this.#deadline() }));
        if (typeof tree !== 'string') trees.push(tree);
        else if (trees.length === 0) return tree;
        if (typeof tree === 'string' || syntaxes.length === 1 || tree.errors === 0) break;
      }
      const [best] = trees.toSorted((one, other) => one.errors - other.errors);
      if (best === undefined) return 'no syntax is known for it';
      const pieces = this.#unlessItFails(() => best.pieces(workspacePath));
      return typeof pieces === 'string' ? pieces : { pieces, lang: best.lang };
    } finally {
      for (const tree of trees) tree.free();
    }
  }

  /** The result of work with a parser, or the reason why there is none; the work returns null when it is late. */
  #unlessItFails<T extends object>(work: () => T | null): T | string {
    try {
      return work() ?? `it takes longer than ${this.#config.parseTimeoutMs} ms to parse`;
    } catch (error) {
      return `the parser failed: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  #deadline(): () => boolean {
    const start = process.cpuUsage(); // not the clock: that a machine is busy is no reason to cut a file without its symbols
    return () => process.cpuUsage(start).user > this.#config.parseTimeoutMs * 1000;
  }

  #fallBack(source: SourceText, warnings: readonly ExtractWarning[], why: string): ExtractedDocument {
    const { lang } = this.#pack;
    const paragraphs = paragraphsOf(source.text);
    const lines = paragraphs.reduce((count, { firstLine, lastLine }) => count + lastLine - firstLine + 1, 0);
    return {
      text: source.text,
      blocks: paragraphs.map((range) => codeBlock(source, range, { lang, symbol: null })),
      metadata: { codeLang: lang },
      warnings: [...warnings, { kind: 'no_symbols', note: `cut at blank lines: ${why}` }],
      ...(source.text.length > lines * LONG_LINE ? {} : { chunkerId: FALLBACK_CHUNKER }),
    };
  }
}

/** Joins adjacent pieces of one long line into a piece without a symbol. */
function joinLongLines(
  source: SourceText,
  pieces: readonly Piece[],
): readonly (TextRange & { readonly symbol: string | null })[] {
  const joined: (TextRange & { readonly symbol: string | null })[] = [];
  let long = 0; // the long line of the last piece; lines count from 1
  for (const piece of pieces) {
    const { start, end } = source.linesOf(piece.start, piece.end);
    const isLong = start === end && source.lineEnd(piece.start) - source.lineStart(piece.start) > LONG_LINE;
    const before = joined.at(-1);
    if (isLong && start === long && before !== undefined)
      joined[joined.length - 1] = { start: before.start, end: piece.end, symbol: null };
    else joined.push(piece);
    long = isLong ? start : 0;
  }
  return joined;
}

const NO_HEADINGS: readonly string[] = Object.freeze([]);

function codeBlock(
  source: SourceText,
  { start, end }: TextRange,
  { lang, symbol }: { readonly lang: string; readonly symbol: string | null },
): BlockDraft {
  const lines = source.linesOf(start, end);
  return {
    kind: 'code',
    lang,
    symbol,
    start,
    end,
    headingPath: NO_HEADINGS,
    sourceSpan: { kind: 'code', line_start: lines.start, line_end: lines.end, symbol, lang },
  };
}

/** What {@link ParsedFile.parse} needs. */
interface ParseInput {
  readonly syntax: Syntax;
  readonly grammar: Grammar;
  readonly source: SourceText;
  /** Whether the timeout for this file has expired; called many times a second. */
  readonly isLate: () => boolean;
}

/** A tree whose units are cut. */
interface TreeWalkInput {
  readonly tree: Tree;
  readonly workspacePath: string;
  readonly known: FoundDefinitions['definitions'] | null;
  /** Units that were left out of the parsed text. */
  readonly broken?: readonly BrokenUnit[] | undefined;
}

/** A file parsed with one grammar. The caller of `parse` frees it. */
class ParsedFile {
  readonly #input: ParseInput;
  readonly #tree: Tree;
  /** The text as it was parsed. */
  readonly #text: string;
  #errors: number | undefined;
  /** All definitions, if they had to be counted; null if the timeout expired before. */
  #found: FoundDefinitions | null | undefined;

  private constructor(input: ParseInput, { tree, text }: { readonly tree: Tree; readonly text: string }) {
    this.#input = input;
    this.#tree = tree;
    this.#text = text;
  }

  /** Parses a file; null if the timeout expired. */
  static parse(input: ParseInput): ParsedFile | null {
    const { parser } = input.grammar;
    const { text } = input.source;
    const prepared = input.syntax.prepare?.(text) ?? text;
    const tree = parser.parse(prepared, null, { progressCallback: input.isLate });
    if (tree !== null) return new ParsedFile(input, { tree, text: prepared });
    parser.reset();
    return null;
  }

  /** The language of the grammar. */
  get lang(): string {
    return this.#input.syntax.lang;
  }

  /** The number of places that the grammar could not parse, or accepted although the language does not allow them. */
  get errors(): number {
    this.#errors ??= this.#countErrors();
    return this.#errors;
  }

  /** The pieces of the file according to its tree; null if the timeout expired. */
  pieces(workspacePath: string): readonly Piece[] | null {
    if (this.#found === null) return null;
    const cutter = this.#walk({ tree: this.#tree, workspacePath, known: this.#found?.definitions ?? null });
    const recovered = this.#tree.rootNode.hasError ? this.#recovered(workspacePath) : null;
    const pieces = cutter?.finish() ?? null;
    if (recovered === null || cutter === null || pieces === null || recovered.units <= cutter.units) return pieces;
    const better = recovered.finish();
    const [there, known] = [symbolsOf(better), symbolsOf(pieces)];
    const { separator } = this.#input.syntax;
    const nameOf = (symbol: string): string => symbol.slice(symbol.lastIndexOf(separator) + 1);
    // The broken part may have hidden the container of a unit.
    const isInside = (symbol: string): boolean =>
      [...there].some((other) => !known.has(other) && other.length > symbol.length && nameOf(other) === nameOf(symbol));
    return [...known].every((symbol) => symbol.startsWith('<') || there.has(symbol) || isInside(symbol))
      ? better
      : pieces;
  }

  /** The units of a tree; null if the timeout expired. */
  #walk({ tree, workspacePath, known, broken }: TreeWalkInput): PieceCutter | null {
    const { syntax, grammar, source, isLate } = this.#input;
    const definitions = new DefinitionSearch({ query: grammar.query, maxDepth: DEEPEST_DEFINITION, isLate, known });
    const cutter = new PieceCutter(source);
    walkUnits({ syntax, root: tree.rootNode, workspacePath, definitions, source, cutter, broken });
    return definitions.isStopped ? null : cutter;
  }

  /** The units of the file without its broken parts; null if it has none, or the timeout expired. */
  #recovered(workspacePath: string): PieceCutter | null {
    const { syntax, grammar, isLate } = this.#input;
    const rest = syntax.recovery === undefined ? null : withoutBroken(this.#text, syntax.recovery);
    if (rest === null) return null;
    const tree = grammar.parser.parse(rest.text, null, { progressCallback: isLate });
    if (tree === null) grammar.parser.reset();
    try {
      return tree === null ? null : this.#walk({ tree, workspacePath, known: null, broken: rest.units });
    } finally {
      tree?.delete();
    }
  }

  free(): void {
    this.#tree.delete();
  }

  #countErrors(): number {
    const root = this.#tree.rootNode;
    if (root.hasError) return root.descendantsOfType('ERROR').length + 1;
    const { grammar, isLate } = this.#input;
    this.#found = findDefinitions(grammar.query, root, { maxDepth: DEEPEST_DEFINITION, isLate });
    return this.#found?.misread ?? 0;
  }
}

function symbolsOf(pieces: readonly Piece[]): ReadonlySet<string> {
  return new Set(pieces.map(({ symbol }) => symbol));
}

/** Creates the plugin of a language, with the extractor `code-<lang>` and the chunker `code-<lang>-ast-v<n>`. */
export function defineLanguagePack(pack: LanguagePack): Plugin<CodeConfig> {
  return definePlugin({
    config: codeConfig,
    contributes: {
      extractor: { [`code-${pack.lang}`]: ({ config }) => new CodeExtractor(pack, config) },
      chunker: { [chunkerIdOf(pack.lang)]: () => new CodeChunker(pack.lang) },
    },
  });
}

/** A grammar in memory: a parser set to it, and the query for its definitions. Used by one file at a time, never freed. */
export interface Grammar {
  readonly parser: TreeSitter.Parser;
  readonly query: TreeSitter.Query;
}

let engine: Promise<typeof TreeSitter> | undefined;
/** Grammars loaded in this thread. Packs may share a grammar file, and its patterns too. */
const languages = new Map<string, Promise<TreeSitter.Language>>();
const grammars = new Map<string, Promise<Grammar>>();
const grammarOf = new WeakMap<Syntax, Promise<Grammar>>();

/** Loads the grammar of a syntax with its query, once per thread; the engine is loaded with the first. */
export function loadGrammar(syntax: Syntax): Promise<Grammar> {
  const known = grammarOf.get(syntax);
  if (known !== undefined) return known;
  const loading = findGrammar(syntax);
  grammarOf.set(syntax, loading);
  return loading;
}

async function findGrammar({ from, wasm, tags, supplement }: Syntax): Promise<Grammar> {
  const require = createRequire(from);
  const wasmPath = require.resolve(wasm);
  const own = tags.map((path) => unitPatterns(readFileSync(require.resolve(path), 'utf8')));
  const patterns = [...own, supplement].join('\n');
  const key = `${wasmPath}\n${patterns}`;
  const loading = grammars.get(key) ?? makeGrammar(wasmPath, patterns);
  grammars.set(key, loading);
  return loading;
}

async function makeGrammar(wasmPath: string, patterns: string): Promise<Grammar> {
  const { Language, Parser, Query } = await (engine ??= startEngine());
  const loading = languages.get(wasmPath) ?? Language.load(readFileSync(wasmPath));
  languages.set(wasmPath, loading);
  const language = await loading;
  return { parser: new Parser().setLanguage(language), query: new Query(language, patterns) };
}

async function startEngine(): Promise<typeof TreeSitter> {
  const module = await import('web-tree-sitter');
  const wasm = createRequire(import.meta.url).resolve('web-tree-sitter/web-tree-sitter.wasm');
  await module.Parser.init({ locateFile: () => wasm });
  return module;
}
