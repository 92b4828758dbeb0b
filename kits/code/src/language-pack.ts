import type { Syntax } from './syntax.ts';

/** What a reader is told of a language. */
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
   * The syntaxes to try for a file, in order. Most languages have one; where a path does not tell (`.h`), the first
   * without syntax errors is taken, else the one with the fewest.
   */
  readonly syntaxesFor: (workspacePath: string) => readonly [Syntax, ...Syntax[]];
}
