import type { Mode, AskedFilters } from '../domain/query.ts';
import { clipped, invalidInput } from '../errors/invalid-input.ts';
import { camelCased, type CamelCased, type Fields, type RequestOf } from '../schema/field.ts';
import { FILTERS, readFilters } from './filters.ts';
import { checkMembers, readRequest, type RequestObject } from './read-request.ts';
import { checkSearch, MAX_TOOL_QUERY, SEARCH, type SearchDefaults } from './search.ts';

const PLAIN = {
  query: {
    kind: 'text',
    required: true,
    notBlank: true,
    maxToolChars: MAX_TOOL_QUERY,
    doc: 'the question; @path adds a file to the evidence',
    description: 'The question, in any language. @path or @"path with spaces" adds a file of the knowledge base.',
  },
  mode: { ...SEARCH.mode, description: 'As in search.' },
  k: {
    ...SEARCH.k,
    doc: 'how many passages to retrieve, 1 to 100',
    description: 'Passages to retrieve, 1 to 100.',
  },
  multi_hop: {
    kind: 'bool',
    doc: 'split the question into several searches',
    description: 'Splits a question that joins several facts into several searches; slower.',
  },
  session: {
    kind: 'text',
    placeholder: 'NAME',
    doc: 'start or continue this conversation',
    description: 'Name of a conversation to begin or continue.',
  },
  model: {
    kind: 'text',
    notBlank: true,
    placeholder: 'NAME',
    doc: 'ask this language model instead of models.llm.model',
    description: 'Another language model, by the name that its server has for it.',
  },
  explain: {
    kind: 'bool',
    doc: 'show what backs each sentence, and how it was found',
    description: 'Adds what backs each sentence, and how the passages were found.',
  },
} as const satisfies Fields;

/** Sampling parameters of the language model. */
const SAMPLING = {
  temperature: {
    kind: 'number',
    min: 0,
    max: 2,
    placeholder: 'X',
    doc: 'randomness of the model, 0 to 2',
  },
  seed: { kind: 'int', min: 0, placeholder: 'N', doc: 'seed for that randomness' },
} as const satisfies Fields;

/** A question as the tool `ask` accepts it. */
export const ASK_TOOL = { ...PLAIN, ...FILTERS } as const satisfies Fields;

/** A question as the command line accepts it, which adds sampling parameters. */
export const ASK = { ...PLAIN, ...SAMPLING, ...FILTERS } as const satisfies Fields;

/** An unchecked question. Omitted members come from the configuration; the ranges are those of {@link ASK}. */
export interface AskRequest extends CamelCased<Omit<RequestOf<typeof PLAIN & typeof SAMPLING>, 'query'>> {
  /** May reference files as `@path` or `@"path with spaces"`. */
  readonly question: string;
  readonly filters?: AskedFilters | undefined;
}

/** Parses a question from a command line or a tool. Throws `invalid_input`. */
export function parseAskRequest(request: RequestObject): AskRequest {
  const { query: question, ...rest } = readRequest(request, ASK);
  const options = Object.keys({ ...PLAIN, ...SAMPLING }).filter((key): key is keyof typeof rest => key in rest);
  return {
    question,
    filters: readFilters(rest),
    ...camelCased(Object.fromEntries(options.map((key) => [key, rest[key]]))),
  };
}

/** A validated question with every default filled in. */
export interface CheckedAsk {
  readonly question: string;
  readonly k: number;
  readonly mode: Mode;
  readonly filters: AskedFilters;
  /** Null for a single question. */
  readonly session: string | null;
  readonly multiHop: boolean;
  /** Null for the configured model. */
  readonly model: string | null;
  readonly explain: boolean;
  readonly temperature: number;
  readonly seed: number;
  readonly answerFormat: 'json' | 'text';
  readonly template: 'rag-v1' | 'rag-v2' | 'rag-v3' | 'rag-multi-hop-v1';
}

/** The defaults from the configuration. */
export interface AskDefaults {
  readonly rag: {
    readonly defaultK: number;
    readonly explainDefault: boolean;
    readonly answerFormat: 'json' | 'text';
    readonly promptTemplateVersion: 'rag-v1' | 'rag-v2' | 'rag-v3';
  };
  readonly search: SearchDefaults;
  readonly models: { readonly llm: { readonly temperature: number; readonly seed: number } };
}

const SESSION = /^[A-Za-z0-9._-]{1,128}$/;

/** Fills in defaults and checks ranges. Throws `invalid_input` for an empty question and for values out of range. */
export function checkAsk(request: AskRequest, { rag, search, models }: AskDefaults): CheckedAsk {
  const { question, filters, session = null, multiHop = false, model = null } = request;
  if (question.trim() === '') throw invalidInput('the question is empty', { field: 'query', value: question });
  const { mode, k } = checkSearch({ ...request, text: question }, {}, { ...search, defaultK: rag.defaultK });
  if (session !== null) checkSessionName(session);
  if (model?.trim() === '') throw invalidInput('the name of the model is empty', { field: 'model', value: model });
  const { temperature = models.llm.temperature, seed = models.llm.seed } = request;
  checkMembers(SAMPLING, { temperature, seed });
  return {
    question,
    k,
    mode,
    filters: filters ?? {},
    session,
    multiHop,
    model,
    explain: request.explain ?? rag.explainDefault,
    temperature,
    seed,
    answerFormat: rag.answerFormat,
    template: multiHop ? 'rag-multi-hop-v1' : rag.promptTemplateVersion,
  };
}

function checkSessionName(session: string): void {
  if (SESSION.test(session)) return;
  throw invalidInput('a session name has 1 to 128 letters, digits, dots, dashes and underscores', {
    field: 'session',
    value: clipped(session),
  });
}
