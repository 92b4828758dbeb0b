import { checkedConfig, type StandardSchema } from '@kebab/plugin';
import type { Node } from 'web-tree-sitter';

/** The documentation of a language. */
export interface LanguageDocumentation {
  /** The units that become separate chunks: `functions, types, …`. */
  readonly units: string;
  /** The form of a symbol: `<module>.<Class>.<method>`. */
  readonly symbolForm: string;
  /** Examples of symbols. */
  readonly examples: readonly [string, ...string[]];
}

/** A language as described by a plugin; {@link defineLanguagePack} creates everything else. */
export interface LanguagePack {
  /** The language as in media types: `rust`. Ids and labels are derived from it. */
  readonly lang: string;
  /** Incremented with every change of the pack that can change its output: 2 is the parser version `code-rust-v2`. */
  readonly version: number;
  /** Text for the documentation; a test compares it with the pack's fixtures. */
  readonly documentation: LanguageDocumentation;
  /**
   * The syntaxes to try for a file, in order. Most languages have one; if the path is ambiguous (`.h`), the first without syntax errors is
   * used, otherwise the one with the fewest.
   */
  readonly syntaxesFor: (workspacePath: string) => readonly [Syntax, ...Syntax[]];
}

/** The settings of a language pack. */
export interface CodeConfig {
  /** The processor time for parsing one file in milliseconds, after which it is cut at blank lines. 1 to 600,000; 2,000 by default. */
  readonly parseTimeoutMs: number;
}

const MAX_TIMEOUT_MS = 600_000;

/** The schema of {@link CodeConfig}, the `config` of every language pack. */
export const codeConfig: StandardSchema<CodeConfig> = checkedConfig<CodeConfig>({
  checks: {
    parseTimeoutMs: (value) =>
      Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_TIMEOUT_MS
        ? undefined
        : `expected a whole number from 1 to ${MAX_TIMEOUT_MS}`,
  },
  defaults: { parseTimeoutMs: 2_000 },
});

/** A node of a syntax tree; valid only during the call that receives it. */
export type SyntaxNode = Node;

/** The file whose symbols are being named. */
export interface SymbolSource {
  /** The path inside the source, `/` between segments. */
  readonly workspacePath: string;
  readonly root: SyntaxNode;
}

/** A definition found by the query and reached by the walk. */
export interface Definition {
  /** The part after `definition.` in the query: `function`, `class`, `impl` … */
  readonly kind: string;
  /** The captured name. */
  readonly name: string;
  readonly node: SyntaxNode;
  /** The node type of the container that the definition is a member of; null at file level. */
  readonly memberOf: string | null;
  /** The text of the file as it is written, which differs from the parsed text where the syntax prepares it. */
  readonly source: string;
}

/** One grammar with the information that kebab needs about it. Node types are the grammar's own. */
export interface Syntax {
  /** The language of the blocks, for example `rust`. */
  readonly lang: string;
  /** `import.meta.url` of the pack, from which `wasm` and `tags` are resolved. */
  readonly from: string;
  /** The grammar, as a file of an installed package: `tree-sitter-rust/tree-sitter-rust.wasm`. */
  readonly wasm: string;
  /** The grammar's own definition queries, as files of installed packages. */
  readonly tags: readonly string[];
  /**
   * Patterns that `tags` lack; each captures `@name` and `@definition.<kind>`, or alone `@misread`, for code that the grammar accepts but
   * the language does not allow, which counts as a syntax error.
   */
  readonly supplement: string;
  /** The separator between the parts of a symbol. */
  readonly separator: '::' | '.';
  /**
   * Definitions whose members are separate units: classes, `impl` blocks, namespaces. By node type, or by the part after `definition.` in
   * the query, prefixed with `@`.
   */
  readonly containers: readonly string[];
  /** Nodes that enclose a definition and belong to it: decorators, `export`. */
  readonly wrappers: readonly string[];
  /** Nodes inside which definitions are searched: bodies of containers, conditionals. */
  readonly lookThrough: readonly string[];
  /** Nodes that belong to the definition directly below them: comments, attributes. */
  readonly leading: readonly string[];
  /** The prefix of every symbol of a file, for example its module path; empty by default. */
  readonly prefixOf?: (source: SymbolSource) => string;
  /** The last part of a definition's symbol, by default its name. Null: it is not a unit. */
  readonly nameOf?: (definition: Definition) => string | null;
  /**
   * The node whose children are the members of a container, by default the container itself; null: it is one unit. With the kind null: the
   * node inside which definitions are searched although the node is no unit; null: none.
   */
  readonly membersOf?: (node: SyntaxNode, kind: string | null) => SyntaxNode | null;
  /**
   * The text to parse instead of a file's own, of equal length with its newlines in the same places: without what the grammar cannot read,
   * such as macros. Symbols and units are cut from the file's own text.
   */
  readonly prepare?: (text: string) => string;
  /** How to go on behind code that the parser cannot read; without it, the parser alone decides. */
  readonly recovery?: Recovery;
}

/** What the blocks of a language look like without a parser. */
export interface Recovery {
  /** Matches the first line of a unit, with its name as the first group that matches. */
  readonly unitLine: RegExp;
  /** Matches comments and strings; global. */
  readonly notCode: RegExp;
  /** A statement that stands for a broken one where a block must not be empty; none by default. */
  readonly filler?: string;
}

/** A table, an enumeration or a list of constants is cut at its entries from this number of lines on, and at most up to the second. */
const TABLE_LINES = 20;
const MAX_TABLE_LINES = 1_000;

/** Whether a node is a table so long that each of its entries is a unit. */
export function isLongTable({ startPosition, endPosition }: SyntaxNode): boolean {
  const lines = endPosition.row - startPosition.row + 1;
  return lines > TABLE_LINES && lines <= MAX_TABLE_LINES;
}

/** The source of a node on one line, without the outermost nodes of a type inside it: `Foo` for `Foo<T, U>`. */
export function textWithout(node: SyntaxNode, type: string): string {
  const source = node.text;
  if (node.namedChildCount === 0) return source; // a simple name, the most common case
  let text = '';
  let at = node.startIndex;
  for (const { startIndex, endIndex } of node.descendantsOfType(type)) {
    if (startIndex < at) continue; // inside one that is already removed
    text += source.slice(at - node.startIndex, startIndex - node.startIndex);
    at = endIndex;
  }
  return (text + source.slice(at - node.startIndex)).replaceAll(/\s+/g, ' ').trim();
}
