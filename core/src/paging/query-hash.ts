import { blake3Short } from '../domain/blake3.ts';
import { canonicalJson, type JsonValue } from '../domain/canonical-json.ts';
import type { SearchFilters } from '../domain/query.ts';

/** Everything that decides a ranked list beside the corpus. */
export interface RankingInput {
  /** What list it is: a search or a list of documents. */
  readonly list: 'search' | 'documents';
  readonly text: string;
  readonly mode: string;
  readonly filters: SearchFilters;
  /** The settings that ranking reads. */
  readonly settings: JsonValue;
}

/** 16 hex digits that name a ranked list: equal for equal lists, whatever the order of keys and of values in a filter. */
export function hashRanking({ list, text, mode, filters, settings }: RankingInput): string {
  return blake3Short(canonicalJson({ list, text, mode, filters: filtersJson(filters), settings }));
}

function filtersJson(filters: SearchFilters): JsonValue {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([key, value]: [string, unknown]) => {
      if (value === undefined) return [];
      if (value instanceof Date) return [[key, value.toISOString()]];
      if (key === 'within') return [[key, filtersJson(value as SearchFilters)]];
      return [[key, Array.isArray(value) ? [...new Set(value as readonly string[])].toSorted() : (value as string)]];
    }),
  );
}
