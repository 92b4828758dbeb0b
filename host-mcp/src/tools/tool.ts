import {
  clipped,
  DEFAULT_HINTS,
  fieldsCalled,
  FILTERS,
  flagName,
  inputSchemaOf,
  readRequest,
  toErrorV1,
  type App,
  type ErrorCode,
  type ErrorV1,
  type Fields,
  type OperationName,
  type RequestOf,
  type WireName,
} from '@kebab/core/app';
import type { ServedApp, Settings } from '../live-app.ts';
import {
  isObject,
  jsonOf,
  type CallContext,
  type ContentPart,
  type JsonObject,
  type ServedTool,
  type ToolResult,
} from '../protocol/surface.ts';

/** The App that a call works on, and its context. */
export interface ToolCall extends CallContext {
  readonly app: App;
  readonly settings: Settings;
}

/** A tool of kebab: its arguments, the wire object that it returns, and its implementation. */
export interface KebabTool<F extends Fields = Fields> {
  readonly name: string;
  /** The operation that it calls, which says what a caller must be allowed. */
  readonly operation: OperationName;
  readonly title: string;
  readonly description: string;
  readonly input: F;
  /** The wire objects that it returns, except errors. */
  readonly outputs: readonly WireName[];
  /** Whether it changes the knowledge base; read-only mode then rejects it. */
  readonly writes?: boolean;
  /** Whether it keeps what was asked, as a conversation does; read-only mode accepts it. */
  readonly records?: boolean;
  /** Whether it works with an unusable configuration. */
  readonly despiteConfig?: true;
  /** Formats the objects of `textForms` as text for hosts that show nothing else; JSON by default. */
  readonly textOf?: (answer: object) => string;
  /** Links beside the text, for clients that know them. */
  readonly linksOf?: (answer: object) => readonly ContentPart[];
  /** Those of `outputs` that `textOf` formats; the first one by default. */
  readonly textForms?: readonly WireName[];
  /** Converts alternative spellings of the arguments to those of `input`; their types are those of `input` where the meaning is certain. */
  readonly read?: (args: JsonObject) => JsonObject;
  /** Runs with arguments whose names and types have been checked. Failures are `KebabError`s. */
  run(args: RequestOf<F>, call: ToolCall): Promise<object>;
}

/** Longer strings in an error are cut, because it may quote an argument of any size. */
const MAX_ERROR_TEXT = 500;

/** Adapts a tool to the protocol: validates its arguments, and turns an exception into a result with `isError`. */
export function serveTool(tool: KebabTool, live: ServedApp): ServedTool {
  const { name, title, description, input, outputs, writes = false, read = (args) => args } = tool;
  const { textOf = JSON.stringify, textForms = outputs.slice(0, 1) } = tool;
  const formatted = new Set<unknown>(textForms.map((form) => `${form}.v1`));
  const described = {
    name,
    title,
    description,
    inputSchema: briefSchema(inputSchemaOf(name === 'search' ? input : withShortFilters(input))),
    annotations: annotationsOf(tool),
  };
  return {
    name,
    listed: !(writes && live.readonly),
    described,
    call: async (args, context) => {
      try {
        const request = readRequest(read(lenientArguments(args, input)), input, 'tool');
        const run = (app: App, settings: Settings): Promise<object> => tool.run(request, { ...context, app, settings });
        const given = await (tool.despiteConfig === true ? live.useDespiteConfig(run) : live.use(run));
        const answer = withHintsForAgents(given, input);
        if (writes) await live.announce();
        const isText = formatted.has((answer as JsonObject)['schema_version']);
        const result = resultOf(answer, isText ? textOf(answer) : undefined);
        return { ...result, content: [...result.content, ...(tool.linksOf?.(answer) ?? [])] };
      } catch (error) {
        return { ...resultOf(shortened(forAgents(toErrorV1(error, { operation: name }), tool))), isError: true };
      }
    },
  };
}

/** Filters are described once, with search. */
function withShortFilters(input: Fields): Fields {
  const fields = Object.entries(input).map(([name, field]) =>
    name in FILTERS && field.description === (FILTERS as Fields)[name]?.description
      ? [name, { ...field, values: undefined, doc: '', description: '' }]
      : [name, field],
  );
  return Object.fromEntries(fields) as Fields;
}

/**
 * A host sends the list of tools to its model again and again: limits that nobody meets are left to the check of a request. There are no
 * output schemas, which would only say that a result is an object: `schema_version` names the one of docs/wire-schema.
 */
function briefSchema(schema: object): JsonObject {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    /^(?:max(?:Items|Length)|(?:max|min)imum)$/.test(key) || value === '' ? undefined : value,
  );
  return JSON.parse(text) as JsonObject;
}

function annotationsOf({ writes = false, records = writes }: KebabTool): JsonObject {
  if (!records) return { readOnlyHint: true, openWorldHint: false };
  return { readOnlyHint: false, destructiveHint: false, idempotentHint: writes, openWorldHint: false };
}

/** A result with an object in both forms: some hosts show the model only the text, some only the structured content. */
function resultOf(object: object, text = JSON.stringify(object)): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent: object as JsonObject };
}

/** Hints for agents, for codes whose default hint is meant for the command line. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  not_indexed: 'nothing can be found yet: ask the user to run `kebab ingest`',
  model_unreachable: 'the model server is not running: call doctor, and ask the user to start it',
  model_not_pulled: 'ask the user to run `kebab models pull`, or call search with mode lexical',
  timeout: 'call the tool again, or ask the user to raise the limit in the configuration',
  stale_cursor: 'call the tool again without cursor',
  chunk_not_found: 'call search for current ids',
  doc_not_found: 'call list_docs or search for the documents that there are',
  span_not_supported: 'call fetch with the chunk_id of a hit, or with the path alone',
  readonly_mode: 'the user started the server with --readonly or KEBAB_READONLY: nothing can be added',
  plugin_failed: 'call doctor: it names the plugin and what fails',
  plugin_incompatible: 'call doctor: it names the plugin, which the user has to update',
  vector_store_unreachable: 'call doctor, or call search with mode lexical',
  locked: 'another kebab process is writing: call the tool again in a few seconds',
  cancelled: 'call the tool again',
  generic: 'call doctor for what is unhealthy',
};

/** Replaces the default hint of an error by one that an agent can follow; a specific hint is kept. */
export function forAgents(error: ErrorV1, { name, input }: Pick<KebabTool, 'name' | 'input'>): ErrorV1 {
  if (error.hint === null) return error;
  const { field, path } = error.details as { readonly field?: unknown; readonly path?: unknown };
  if (error.hint !== DEFAULT_HINTS[error.code]) {
    const hint = withCall(withArguments(error.hint, input), { name, field });
    return { ...error, hint: withAlternative(hint, { code: error.code, name }) };
  }
  const hint =
    error.code === 'invalid_input'
      ? argumentHint(field, { name, input })
      : error.code === 'doc_not_found'
        ? placeHint(path)
        : undefined;
  return { ...error, hint: hint ?? HINTS[error.code] ?? error.hint };
}

/** A value that a hint proposes, with the call that takes it. */
function withCall(hint: string, { name, field }: { readonly name: string; readonly field: unknown }): string {
  if (hint.startsWith('for example ')) return `call ${name} with ${String(field)}, ${hint}`;
  return /^did you mean [^?]+\?$/.test(hint) ? `${hint} call ${name} with it` : hint;
}

const OF_MODELS: ReadonlySet<ErrorCode> = new Set([
  'model_not_pulled',
  'model_unreachable',
  'vector_store_unreachable',
]);
const WITHOUT_MODEL: Readonly<Record<string, string>> = {
  search: 'or call search with mode lexical',
  ask: 'or answer from search and fetch yourself',
};

/** Only the user can fetch a model or start a server, so the hint also names what the agent can do without. */
function withAlternative(hint: string, { code, name }: { readonly code: ErrorCode; readonly name: string }): string {
  const alternative = OF_MODELS.has(code) ? WITHOUT_MODEL[name] : undefined;
  return alternative === undefined ? hint : `${hint}, ${alternative}`;
}

/** Replaces the hints of skipped stages and of query notices by ones that an agent can follow. */
export function withHintsForAgents<T extends object>(answer: T, input: Fields): T {
  const { degraded, notices } = answer as {
    readonly degraded?: readonly Hinting[];
    readonly notices?: readonly Hinting[];
  };
  const forOne = (said: Hinting): Hinting => ({ ...said, hint: withArguments(said.hint, input) });
  return {
    ...answer,
    ...(degraded === undefined ? {} : { degraded: degraded.map(forOne) }),
    ...(notices === undefined ? {} : { notices: notices.map(forOne) }),
  };
}

interface Hinting {
  readonly hint: string;
}

/** Replaces command-line flags in a hint by the equivalent arguments; other commands are for the user, and kept. */
function withArguments(hint: string, input: Fields): string {
  const flags = Object.entries(input).map(([key, field]) => [`--${flagName(key, field)}`, key] as const);
  const names = new Map([...flags, ['`kebab grep -F`', 'leave out regex']]);
  return hint.replaceAll(/`[^`]*`|--[a-z-]+/g, (written) => names.get(written) ?? written);
}

/** The description of the invalid argument, or the list of arguments. */
function argumentHint(field: unknown, { name, input }: Pick<KebabTool, 'name' | 'input'>): string {
  const meant = typeof field === 'string' && Object.hasOwn(input, field) ? input[field] : undefined;
  if (meant !== undefined) return `${field as string}: ${meant.description ?? meant.doc}`;
  const names = Object.keys(input);
  return `${name} takes ${names.length === 0 ? 'no arguments' : names.join(', ')}`;
}

/** The hint to look for documents of that name in any folder, or below folders of that name. */
function placeHint(path: unknown): string | undefined {
  const [, name] = /(?:^|[/:])([^/:*?"[\]{}\\]{1,100})\/?$/.exec(typeof path === 'string' ? path : '') ?? [];
  return name === undefined ? undefined : `call list_docs with path_glob ["**/${name}"], or search`;
}

function shortened(error: ErrorV1): JsonObject {
  const details = Object.entries(error.details).map(([key, value]) => [
    key,
    typeof value === 'string' ? clipped(value, MAX_ERROR_TEXT) : value,
  ]);
  return { ...error, message: clipped(error.message, MAX_ERROR_TEXT), details: Object.fromEntries(details) };
}

/**
 * Converts arguments as models write them to the types that a tool declares, wherever only one meaning is possible: numbers, booleans and
 * lists as texts, values of a closed list in other case, null or an empty text for an argument that is left out, and synonyms of names.
 * Everything else is passed as it is, for the check of the request.
 */
export function lenientArguments(args: JsonObject, fields: Fields): JsonObject {
  const names = Object.keys(args).filter((name) => args[name] !== null);
  const read = Object.entries(args).flatMap(([name, value]) => {
    const [meant = name, other] = fieldsCalled(name, fields);
    const isTaken = names.some((rival) => rival !== name && fieldsCalled(rival, fields).includes(meant));
    const isClear = meant === name || (other === undefined && !isTaken);
    const field = isClear && Object.hasOwn(fields, meant) ? fields[meant] : undefined;
    if (field === undefined) return [[name, value]];
    if (value === null || (value === '' && field.required !== true)) return [];
    return [[meant, valueFor(field, value)]];
  });
  return Object.fromEntries(read) as JsonObject;
}

function valueFor(field: Fields[string], value: unknown): unknown {
  switch (field.kind) {
    case 'bool':
      return typeof value === 'string' ? (BOOLEANS.get(value.trim().toLowerCase()) ?? value) : value;
    case 'int':
    case 'number':
      return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
    case 'enum':
      return field.values.find((each) => typeof value === 'string' && each === value.trim().toLowerCase()) ?? value;
    case 'texts':
    case 'paths':
      return listOf(value);
    case 'tables': {
      const { fields } = field;
      return listOf(value).map((entry) => (isObject(entry) ? lenientArguments(entry, fields) : entry));
    }
    default:
      return value;
  }
}

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

/** A list, also as JSON text; a single value is a list of one. */
function listOf(value: unknown): readonly unknown[] {
  const parsed = typeof value === 'string' && /^\s*\[/.test(value) ? jsonOf(value) : value;
  if (Array.isArray(parsed)) return parsed;
  return [typeof value === 'string' && /^\s*\{/.test(value) ? jsonOf(value) : value];
}
