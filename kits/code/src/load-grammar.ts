import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as TreeSitter from 'web-tree-sitter';
import { keepUnitPatterns } from './find-definitions.ts';
import type { Syntax } from './syntax.ts';

/** A grammar in memory: a parser set to it, and the query for its definitions. Used by one file at a time, never freed. */
export interface Grammar {
  readonly parser: TreeSitter.Parser;
  readonly query: TreeSitter.Query;
}

let engine: Promise<typeof TreeSitter> | undefined;
/** What this thread has loaded. Packs may share a grammar file, and its patterns too. */
const languages = new Map<string, Promise<TreeSitter.Language>>();
const grammars = new Map<string, Promise<Grammar>>();
const grammarOf = new WeakMap<Syntax, Promise<Grammar>>();

/** The grammar of a syntax with its query; a thread loads each once, and the engine with the first. */
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
  const patterns = [...tags.map((path) => readFileSync(require.resolve(path), 'utf8')), supplement].join('\n');
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
  const query = new Query(language, patterns);
  keepUnitPatterns(query, patterns);
  return { parser: new Parser().setLanguage(language), query };
}

async function startEngine(): Promise<typeof TreeSitter> {
  const module = await import('web-tree-sitter');
  const wasm = createRequire(import.meta.url).resolve('web-tree-sitter/web-tree-sitter.wasm');
  await module.Parser.init({ locateFile: () => wasm });
  return module;
}
