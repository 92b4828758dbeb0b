import { FILTERS } from '@kebab/core/app';
import type { JsonObject } from '../protocol/json-rpc.ts';

/** An argument of a tool, as data: its schema and its check are made of it. */
export interface Parameter {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'strings' | 'objects';
  readonly description: string;
  readonly required?: boolean;
  /** The only values it takes. */
  readonly allowed?: readonly string[];
  /** Of an integer its least value, of a list of objects the least number of them. */
  readonly minimum?: number;
  /** Of an integer its greatest value, of a list of objects the greatest number of them, of a text its characters. */
  readonly maximum?: number;
  /** What an object of the list looks like; for `objects` only. */
  readonly members?: readonly Parameter[];
}

/** A query beyond this is a text by itself; taking it apart would keep every other call waiting. */
export const LONGEST_QUERY = 10_000;

/** The filters of a search, as arguments. */
export const FILTER_PARAMETERS: readonly Parameter[] = FILTERS.map(({ key, type, allowed, aliases, summary }) => ({
  name: key,
  type: type === 'list' ? 'strings' : 'string',
  description: `Filter: ${summary}.`,
  ...(allowed === null ? {} : { allowed: [...allowed, ...Object.keys(aliases)] }),
}));

/** Everything a search takes, in one call or as a line of several. */
export const SEARCH_PARAMETERS: readonly Parameter[] = [
  {
    name: 'query',
    type: 'string',
    required: true,
    maximum: LONGEST_QUERY,
    description: 'What to look for: words in any language; "a phrase" must occur, -word must not.',
  },
  {
    name: 'mode',
    type: 'string',
    allowed: ['lexical', 'vector', 'hybrid'],
    description: 'How to look: by words, by meaning, or both. Default hybrid; what cannot run is named in degraded.',
  },
  { name: 'k', type: 'integer', minimum: 1, maximum: 100, description: 'Hits on a page, 1 to 100.' },
  {
    name: 'max_tokens',
    type: 'integer',
    minimum: 0,
    description: 'Budget of the whole response in tokens of four characters. Snippets are cut first, then hits.',
  },
  { name: 'snippet_chars', type: 'integer', minimum: 60, description: 'Longest snippet in characters, at least 60.' },
  { name: 'cursor', type: 'string', description: 'next_cursor of the page before, with the same query and filters.' },
  { name: 'explain', type: 'boolean', description: 'Adds a trace that tells how the hits were ranked.' },
  {
    name: 'expect',
    type: 'string',
    description: 'A citation uri (notes/a.md#L10): tells where it stands in the result and why it is not a hit.',
  },
  ...FILTER_PARAMETERS,
];

/** The JSON Schema of arguments: one flat object, closed, without unions. */
export function inputSchemaOf(parameters: readonly Parameter[]): JsonObject {
  const required = parameters.filter((parameter) => parameter.required === true).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, schemaOf(parameter)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function schemaOf({ type, description, allowed, minimum, maximum, members = [] }: Parameter): JsonObject {
  const values = allowed === undefined ? {} : { enum: allowed };
  switch (type) {
    case 'strings':
      return { type: 'array', description, items: { type: 'string', ...values } };
    case 'objects':
      return { type: 'array', description, items: inputSchemaOf(members), ...bounds('Items', minimum, maximum) };
    case 'string':
      return { type, description, ...values, ...bounds('Length', minimum, maximum) };
    case 'boolean':
      return { type, description };
    case 'integer':
      return { type, description, ...bounds('imum', minimum, maximum) };
    default:
      return type satisfies never;
  }
}

function bounds(
  what: 'imum' | 'Items' | 'Length',
  minimum: number | undefined,
  maximum: number | undefined,
): JsonObject {
  return {
    ...(minimum === undefined ? {} : { [`min${what}`]: minimum }),
    ...(maximum === undefined ? {} : { [`max${what}`]: maximum }),
  };
}
