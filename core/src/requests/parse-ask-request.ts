import type { Mode } from '../domain/query.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { parseFilters, type RequestObject } from './parse-filters.ts';
import type { AskRequest } from './ask-request.ts';

/** The keys of a question beside the filters. */
const ASK_KEYS = ['query', 'mode', 'k', 'multi_hop', 'session', 'explain', 'temperature', 'seed'] as const;

interface Primitives {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
}

/**
 * Reads a question with keys in snake_case, as a command line or a tool gives it. Checks keys and types; asking itself checks
 * ranges. Throws `invalid_input`.
 */
export function parseAskRequest(request: RequestObject): AskRequest {
  const filters = parseFilters(request, ASK_KEYS);
  const question = typed(request, 'query', 'string');
  if (question === undefined) throw invalidInput('a question is missing', { field: 'query' });
  const mode = typed(request, 'mode', 'string');
  const rest = {
    mode: mode as Mode | undefined,
    k: typed(request, 'k', 'number'),
    multiHop: typed(request, 'multi_hop', 'boolean'),
    session: typed(request, 'session', 'string'),
    explain: typed(request, 'explain', 'boolean'),
    temperature: typed(request, 'temperature', 'number'),
    seed: typed(request, 'seed', 'number'),
  };
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { question, filters, ...(given as Omit<AskRequest, 'question' | 'filters'>) };
}

function typed<T extends keyof Primitives>(
  request: RequestObject,
  key: (typeof ASK_KEYS)[number],
  type: T,
): Primitives[T] | undefined {
  const value = request[key];
  if (value === undefined || typeof value === type) return value as Primitives[T] | undefined;
  throw invalidInput(`${key} is a ${type}`, { field: key, value: JSON.stringify(value) });
}
