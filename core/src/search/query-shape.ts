import type { AnalysedQuery } from '../analysis/analysed-query.ts';

/** What the form of a query tells about what is looked for, whatever its words mean. */
export interface QueryShape {
  /** Words as typed, separated by white space, without exclusions and quote marks. */
  readonly words: readonly string[];
  /** The words that are names in code or paths of files. */
  readonly identifiers: readonly string[];
}

/** `camelCase`, `PascalCase` of two parts, `snake_case`, `CONSTANT_NAME`, `$dollar`. */
const MIXED_NAME = /\p{Ll}\d*\p{Lu}|[\p{L}\d]_[\p{L}\d]|^\$[\p{L}_]|\p{Lu}{2,}\p{Ll}{2,}/u;
/** `os.path.join`, `Engine::open`, `Class#method`, `call()`, `--flag`. */
/** No name from code is longer; looking for its parts would take time by the square of its length. */
const LONGEST_NAME = 256;
const JOINED_NAME = /\p{L}[\p{L}\d_]*(?:\.|::|#)\p{L}[\p{L}\d_]+|\p{L}\(\)?$|^--?\p{L}{2,}/u;
/** `src/app.ts`, `./config`, `a/b/c`. */
const FILE_PATH =
  /^\.{0,2}\/[^/]|[^/]\/[^/]+\/[^/]|\/[^/]+\.\p{L}{1,5}$|^[\p{L}\d_-]+\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|cc?|cpp|hp?p?|md|toml|ya?ml|json|sql|sh)$/u;

/** Reads the form of a query. */
export function queryShape({ embeddingText }: AnalysedQuery): QueryShape {
  const words = embeddingText.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return { words, identifiers: words.filter(isIdentifier) };
}

function isIdentifier(word: string): boolean {
  if (word.length > LONGEST_NAME) return false;
  const bare = word.replace(/^[("'`[{]+|[)"'`\]},;:!?.]+$/g, '');
  return MIXED_NAME.test(bare) || JOINED_NAME.test(bare) || FILE_PATH.test(bare);
}
