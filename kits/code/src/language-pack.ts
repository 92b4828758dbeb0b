import type { StandardSchema } from '@kebab/plugin';
import type { Node } from 'web-tree-sitter';

/** What the documentation says of a language. */
export interface LanguageDocumentation {
  /** What becomes a chunk of its own: `functions, types, …`. */
  readonly units: string;
  /** The form of a symbol: `<module>.<Class>.<method>`. */
  readonly symbolForm: string;
  /** Symbols as the pack makes them. */
  readonly examples: readonly [string, ...string[]];
}

/** What a plugin says of a language; {@link defineLanguagePack} makes the rest of it. */
export interface LanguagePack {
  /** The language as media types name it: `rust`. Ids and labels are made of it. */
  readonly lang: string;
  /** Grows with every change of the pack that can change its output: 2 is the parser version `code-rust-v2`. */
  readonly version: number;
  /** For the reader of the documentation; what it says is compared with the pack's fixtures by a test. */
  readonly documentation: LanguageDocumentation;
  /**
   * The syntaxes to try for a file, in order. Most languages have one; where a path does not say (`.h`), the first
   * without syntax errors is taken, else the one with the fewest.
   */
  readonly syntaxesFor: (workspacePath: string) => readonly [Syntax, ...Syntax[]];
}

/** What a user may set for a language pack. */
export interface CodeConfig {
  /** The longest that one file may take to parse, in milliseconds; then it is cut at blank lines. 1 to 600,000; 2,000 by default. */
  readonly parseTimeoutMs: number;
}

const DEFAULTS: CodeConfig = Object.freeze({ parseTimeoutMs: 2_000 });
const MAX_TIMEOUT_MS = 600_000;

/** The schema of {@link CodeConfig}: what every language pack names as its `config`. */
export const codeConfig: StandardSchema<CodeConfig> = {
  '~standard': {
    version: 1,
    vendor: 'kebab',
    validate: (value) => {
      if (value === undefined) return { value: DEFAULTS };
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return { issues: [{ message: 'must be a table' }] };
      const unknown = Object.keys(value).find((key) => key !== 'parseTimeoutMs');
      if (unknown !== undefined)
        return { issues: [{ message: 'is not a key; the only one is parseTimeoutMs', path: [unknown] }] };
      const { parseTimeoutMs = DEFAULTS.parseTimeoutMs } = value as { readonly parseTimeoutMs?: unknown };
      if (typeof parseTimeoutMs === 'number' && Number.isInteger(parseTimeoutMs))
        if (parseTimeoutMs >= 1 && parseTimeoutMs <= MAX_TIMEOUT_MS) return { value: { parseTimeoutMs } };
      return { issues: [{ message: `must be a whole number from 1 to ${MAX_TIMEOUT_MS}`, path: ['parseTimeoutMs'] }] };
    },
  },
};

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
