import { MODES, type Mode, type SearchFilters, type SearchOptions, type SearchQuery } from '../domain/query.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { nearestName } from '../errors/nearest-name.ts';

/** The most hits a page can hold. */
export const MAX_K = 100;
/** The shortest that snippets are cut to, in characters. */
export const SNIPPET_FLOOR = 60;

/** A search with every default filled in and every number in its range. */
export interface CheckedSearch {
  readonly text: string;
  readonly mode: Mode;
  readonly k: number;
  readonly filters: SearchFilters;
  /** Null: the answer is not cut. */
  readonly maxTokens: number | null;
  readonly snippetChars: number;
  readonly cursor: string | null;
  readonly explain: boolean;
  /** Null: nothing was expected. */
  readonly expect: string | null;
  readonly cache: boolean;
}

/** What a search takes from the configuration. */
export interface SearchDefaults {
  readonly defaultK: number;
  readonly snippetChars: number;
}

/** Fills in defaults and checks ranges. Throws `invalid_input` for an empty query and for what is out of range. */
export function checkSearch(query: SearchQuery, options: SearchOptions, defaults: SearchDefaults): CheckedSearch {
  if (query.text.trim() === '') throw invalidInput('the query is empty', { field: 'query', value: query.text });
  const mode = query.mode ?? 'hybrid';
  if (!MODES.includes(mode))
    throw invalidInput(`${JSON.stringify(mode)} is not a search mode: it is one of ${MODES.join(', ')}`, {
      field: 'mode',
      value: mode,
      allowed: MODES,
      suggestion: nearestName(mode, MODES),
    });
  return {
    text: query.text,
    mode,
    k: wholeNumber('k', query.k ?? defaults.defaultK, { min: 1, max: MAX_K }),
    filters: query.filters ?? {},
    maxTokens: options.maxTokens === undefined ? null : wholeNumber('max_tokens', options.maxTokens, { min: 0 }),
    snippetChars: wholeNumber('snippet_chars', options.snippetChars ?? defaults.snippetChars, { min: SNIPPET_FLOOR }),
    cursor: options.cursor ?? null,
    explain: options.explain ?? false,
    expect: options.expect ?? null,
    cache: options.cache ?? true,
  };
}

/** The value when it is a whole number within the range; throws `invalid_input` else. */
export function wholeNumber(
  field: string,
  value: number,
  { min, max = Number.MAX_SAFE_INTEGER }: { readonly min: number; readonly max?: number },
): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  throw invalidInput(`${field} is a whole number ${range}, not ${value}`, { field, value: String(value) });
}
