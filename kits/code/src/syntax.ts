import type { Node } from 'web-tree-sitter';

/** A node of a syntax tree; valid only while the call lasts that was given it. */
export type SyntaxNode = Node;

/** The file whose symbols are being named. */
export interface SymbolSource {
  /** The path inside the source, `/` between segments. */
  readonly workspacePath: string;
  readonly root: SyntaxNode;
}

/** A definition that the query found and the walk reached. */
export interface Definition {
  /** What follows `definition.` in the query: `function`, `class`, `impl` … */
  readonly kind: string;
  /** The captured name. */
  readonly name: string;
  readonly node: SyntaxNode;
  /** The node type of the container that the definition is a member of; null at file level. */
  readonly memberOf: string | null;
}

/** One grammar with what kebab must know of it. Node types are the grammar's own. */
export interface Syntax {
  /** The language that blocks are labelled with, for example `rust`. */
  readonly lang: string;
  /** `import.meta.url` of the pack: what `wasm` and `tags` are resolved from. */
  readonly from: string;
  /** The grammar, as a file of an installed package: `tree-sitter-rust/tree-sitter-rust.wasm`. */
  readonly wasm: string;
  /** The grammar's own definition queries, as files of installed packages. */
  readonly tags: readonly string[];
  /**
   * Patterns that `tags` lack; each captures `@name` and `@definition.<kind>`, or alone `@misread`: what the grammar
   * accepts and the language does not have, which counts as a syntax error.
   */
  readonly supplement: string;
  /** Stands between the parts of a symbol. */
  readonly separator: '::' | '.';
  /**
   * Definitions whose members are units of their own: classes, `impl` blocks, name spaces. By node type, or by what
   * follows `definition.` in the query, with an `@` before it.
   */
  readonly containers: readonly string[];
  /** Nodes that stand around a definition and belong to it: decorators, `export`. */
  readonly wrappers: readonly string[];
  /** Nodes that are looked through for definitions: bodies of containers, conditionals. */
  readonly lookThrough: readonly string[];
  /** Nodes that belong to the definition directly below them: comments, attributes. */
  readonly leading: readonly string[];
  /** What every symbol of a file begins with, for example its module path; nothing by default. */
  readonly prefixOf?: (source: SymbolSource) => string;
  /** The last part of a definition's symbol, by default its name. Null: it is not a unit. */
  readonly nameOf?: (definition: Definition) => string | null;
}
