import { parseDocumentId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { nearestName } from '../errors/nearest-name.ts';
import { FILTERS, FILTER_KEYS, type FilterName } from './filter-names.ts';
import { parseTime } from './parse-time.ts';

/** A request as it came, with keys in snake_case. */
export type RequestObject = Readonly<Record<string, unknown>>;

/**
 * The filters of a request whose other keys are `otherKeys`. An empty list filters nothing. Throws `invalid_input` for a
 * key it does not know, with the nearest one, for a value of the wrong type, and for a value outside a closed set.
 */
export function parseFilters(request: RequestObject, otherKeys: readonly string[] = []): SearchFilters {
  rejectUnknownKeys(request, [...otherKeys, ...FILTER_KEYS]);
  const filters: Partial<Record<keyof SearchFilters, unknown>> = {};
  for (const filter of FILTERS) {
    const value = request[filter.key];
    if (value === undefined) continue;
    const parsed = parseFilter(filter, value);
    if (parsed !== undefined) filters[filter.field] = parsed;
  }
  return filters as SearchFilters;
}

/** Throws `invalid_input` for a key that is not among `known`, naming the nearest. */
export function rejectUnknownKeys(request: RequestObject, known: readonly string[]): void {
  for (const key of Object.keys(request)) {
    if (known.includes(key)) continue;
    const suggestion = nearestName(key, known);
    const hint = suggestion === undefined ? undefined : `did you mean ${JSON.stringify(suggestion)}?`;
    throw invalidInput(`${JSON.stringify(key)} is not a key of this request`, {
      field: key,
      allowed: known,
      suggestion,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

function parseFilter(filter: FilterName, value: unknown): unknown {
  switch (filter.type) {
    case 'time':
      return parseTime(filter.key, value);
    case 'one':
      return parseValue(filter, value);
    case 'list': {
      if (!Array.isArray(value)) throw wrongType(filter, 'a list of texts', value);
      const values = value.map((item) => parseValue(filter, item));
      return values.length === 0 ? undefined : values;
    }
    default:
      return filter.type satisfies never;
  }
}

function parseValue(filter: FilterName, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw wrongType(filter, 'a text that is not empty', value);
  if (filter.field === 'docId') return parseDocumentId(value);
  const spelt = Object.hasOwn(filter.aliases, value) ? (filter.aliases[value] ?? value) : value;
  if (filter.allowed === null || filter.allowed.includes(spelt)) return spelt;
  throw invalidInput(`${JSON.stringify(value)} is not a ${filter.key}: it is one of ${filter.allowed.join(', ')}`, {
    field: filter.key,
    value,
    allowed: filter.allowed,
    suggestion: nearestName(value, filter.allowed),
  });
}

function wrongType(filter: FilterName, wanted: string, value: unknown): Error {
  return invalidInput(`${filter.key} is ${wanted}`, { field: filter.key, value: JSON.stringify(value) });
}
