import type { StandardSchema } from '@kebab/plugin';
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
