import { clipped, isKebabError, toErrorV1 } from '@kebab/core/app';
import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CacheHint,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Result,
  type ServerCapabilities,
  type ServerContext,
  type StandardSchemaV1,
  type Transport,
} from '@modelcontextprotocol/server';
import {
  isObject,
  jsonOf,
  type CallContext,
  type CompletionRequest,
  type JsonObject,
  type Progress,
  type ServedPrompt,
  type ServedResources,
  type Surface,
} from './surface.ts';

/** How a server is constructed. */
export interface McpServerInit {
  readonly surface: Surface;
  /** `legacy` for clients that open with `initialize`, `modern` for those of 2026-07-28 and later. */
  readonly era: 'legacy' | 'modern';
  /** Whether the transport can send notifications at any time; subscriptions need that. */
  readonly canNotify: boolean;
  /** Holds the calls that have not ended, cancelled ones included. */
  readonly running: Set<Promise<unknown>>;
}

/** The package's server with the methods of a surface, for one client in one era. */
export function createMcpServer({ surface, era, canNotify, running }: McpServerInit): Server {
  const isAnnouncing = canNotify && era === 'legacy' && surface.onChange !== undefined;
  const server = new SurfaceServer(surface.info, {
    capabilities: capabilitiesOf(isAnnouncing),
    instructions: surface.instructions,
    cacheHints: CACHE_HINTS,
    jsonSchemaValidator: NO_VALIDATOR,
  });
  const serve = (method: string, run: Method): void =>
    server.setRequestHandler(method, { params: ANY_PARAMS }, (params, context) => {
      const revision = server.getNegotiatedProtocolVersion() ?? context.http?.req?.headers.get('mcp-protocol-version');
      const knowsLinks = era === 'modern' || (revision ?? '') >= FIRST_WITH_LINKS;
      const result = (async () => run(params, { surface, era, knowsLinks, ...callOf(context, server) }))();
      const ended = result.catch(() => undefined).finally(() => running.delete(ended));
      running.add(ended);
      return result;
    });
  for (const [method, run] of Object.entries(METHODS)) serve(method, run);
  if (isAnnouncing) announceChanges(server, surface, serve);
  return server;
}

/** Clients of older revisions reject a result with a part that they do not know. */
const FIRST_WITH_LINKS = '2025-06-18';

function capabilitiesOf(isAnnouncing: boolean): ServerCapabilities {
  const resources = isAnnouncing ? { subscribe: true, listChanged: true } : {};
  return { tools: {}, resources, prompts: {}, completions: {} };
}

/** For lists that only change with a new version of the program. */
const FIXED: CacheHint = { ttlMs: 3_600_000, cacheScope: 'public' };
/** For lists that another process may change at any time. */
const LIVE: CacheHint = { ttlMs: 0, cacheScope: 'private' };

/** How long a client of 2026-07-28 may cache a result, and who may share it. */
const CACHE_HINTS = {
  'server/discover': FIXED,
  'tools/list': FIXED,
  'resources/list': LIVE,
  'resources/templates/list': FIXED,
  'resources/read': LIVE,
  'prompts/list': FIXED,
} as const;

/** The package validates nothing by JSON Schema here; its default validator would be constructed with each server. */
const NO_VALIDATOR = {
  getValidator: (): never => {
    throw new Error('nothing is asked of clients');
  },
};

/** Every method checks its own parameters, because the package answers unsuitable ones with an internal error. */
const ANY_PARAMS: StandardSchemaV1<JsonObject> = {
  '~standard': { version: 1, vendor: 'kebab', validate: (value) => ({ value: value as JsonObject }) },
};

/** The package replaces the code of a missing resource in the older revisions; this one passes, and is restored when it is sent. */
const RESTORED_NOT_FOUND = -ProtocolErrorCode.ResourceNotFound;

/** Errors as kebab answers them: without internals, with the code that the revision asks for. */
class SurfaceServer extends Server {
  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withRestoredCode(message), options);
    await super.connect(transport);
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    // oxlint-disable-next-line eslint/no-underscore-dangle -- the package's hook for subclasses has this name
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        if (isKebabError(error)) throw protocolErrorOf(error);
        if (OF_THE_PACKAGE.has(method)) throw invalidParams(`the parameters of ${method} are invalid`);
        throw new ProtocolError(ProtocolErrorCode.InternalError, 'internal error');
      }
    };
  }
}

/** A failure of the facade: unlike a tool, resources and completions have no error result. */
function protocolErrorOf(error: unknown): ProtocolError {
  const data = toErrorV1(error);
  const isOfRequest = data.code === 'invalid_input' || data.code === 'stale_cursor';
  const code = isOfRequest ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, data.message, data);
}

/** The methods that the package handles itself: they fail only for parameters that do not match their schema. */
const OF_THE_PACKAGE: ReadonlySet<string> = new Set(['initialize', 'ping', 'server/discover']);

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

function withRestoredCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== RESTORED_NOT_FOUND) return message;
  return { ...message, error: { ...message.error, code: ProtocolErrorCode.ResourceNotFound } };
}

/** MCP Apps: a client that has it shows the views that tools name. */
const VIEWS = 'io.modelcontextprotocol/ui';

/** How a call is cancelled and reports progress; its progress only increases, and ends with a cancellation. */
function callOf({ mcpReq: { signal, _meta, notify, envelope } }: ServerContext, server: Server): CallContext {
  const declared =
    (envelope as JsonObject | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const extensions = isObject(declared) ? declared['extensions'] : undefined;
  const progressToken = _meta?.progressToken;
  let last = -1;
  const progress = ({ done, total, message }: Progress): void => {
    if (progressToken === undefined || signal.aborted || done <= last) return;
    last = done;
    notify({
      method: 'notifications/progress',
      params: { progressToken, progress: done, total, message },
    }).catch(() => undefined); // the client is gone, and the call is cancelled
  };
  return { signal, progress, showsViews: isObject(extensions) && VIEWS in extensions };
}

/** Serves subscriptions, and announces changes once the client has opened with `initialize`: others expect only responses. */
function announceChanges(server: Server, surface: Surface, serve: (method: string, run: Method) => void): void {
  const subscriptions = new Subscriptions(surface.resources, (uri) => {
    server.sendResourceUpdated({ uri }).catch(() => undefined); // the client is gone
  });
  serve('resources/subscribe', async (params, context) => {
    const uri = text(params, 'uri');
    if (!(await subscriptions.add(uri))) throw notFound(uri, context);
    return {};
  });
  serve('resources/unsubscribe', (params) => {
    subscriptions.remove(text(params, 'uri'));
    return {};
  });
  surface.onChange?.(() => {
    if (server.getNegotiatedProtocolVersion() === undefined) return;
    server.sendResourceListChanged().catch(() => undefined);
    void subscriptions.check();
  });
}

/** The context of a method. */
interface MethodContext extends CallContext {
  readonly surface: Surface;
  readonly era: McpServerInit['era'];
  /** Whether the client's revision has links in results. */
  readonly knowsLinks: boolean;
}

type Method = (params: JsonObject, context: MethodContext) => Promise<JsonObject> | JsonObject;

const MAX_COMPLETIONS = 100;

/** Every method that is served in both eras, by name. */
const METHODS: Readonly<Record<string, Method>> = {
  'tools/list': (_params, { surface }) => ({
    tools: surface.tools.filter(({ listed }) => listed).map(({ described }) => described),
  }),
  'tools/call': callTool,
  'resources/list': listResources,
  'resources/templates/list': (_params, { surface }) => ({ resourceTemplates: surface.resources.templates }),
  'resources/read': readResource,
  'prompts/list': (_params, { surface }) => ({ prompts: surface.prompts.map(describePrompt) }),
  'prompts/get': getPrompt,
  'completion/complete': complete,
};

async function callTool(params: JsonObject, context: MethodContext): Promise<JsonObject> {
  const name = text(params, 'name');
  const args = params['arguments'] ?? {};
  if (!isObject(args)) throw invalidParams('arguments is an object');
  const tool = context.surface.tools.find((each) => each.name === name);
  if (tool === undefined) throw invalidParams(`unknown tool: ${clipped(name)}`);
  const { content, ...result } = await tool.call(args, context);
  return { content: context.knowsLinks ? content : content.filter(({ type }) => type !== 'resource_link'), ...result };
}

async function listResources(params: JsonObject, context: MethodContext): Promise<JsonObject> {
  const cursor = params['cursor'];
  if (cursor !== undefined && typeof cursor !== 'string') throw invalidParams('cursor is a text');
  const { items, nextCursor } = await context.surface.resources.list(cursor, context);
  return { resources: items, ...(nextCursor === null ? {} : { nextCursor }) };
}

async function readResource(params: JsonObject, context: MethodContext): Promise<JsonObject> {
  const uri = text(params, 'uri');
  const contents = await context.surface.resources.read(uri, context);
  if (contents === null) throw notFound(uri, context);
  return { contents };
}

function notFound(uri: string, { era }: MethodContext): ProtocolError {
  const code = era === 'legacy' ? RESTORED_NOT_FOUND : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, `resource not found: ${clipped(uri)}`, { uri: clipped(uri) });
}

function getPrompt(params: JsonObject, { surface }: MethodContext): JsonObject {
  const prompt = promptNamed(text(params, 'name'), surface);
  const given = params['arguments'] ?? {};
  if (!isObject(given)) throw invalidParams('arguments is an object');
  const args: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!prompt.arguments.some((argument) => argument.name === name))
      throw invalidParams(`${clipped(name)} is not an argument of ${prompt.name}`);
    if (typeof value !== 'string') throw invalidParams(`the argument ${name} is a text`);
    args[name] = value;
  }
  const missing = prompt.arguments.find(({ name, required }) => required && (args[name] ?? '').trim() === '');
  if (missing !== undefined) throw invalidParams(`${prompt.name} needs the argument ${missing.name}`);
  return { description: prompt.description, messages: prompt.render(args) };
}

async function complete(params: JsonObject, context: MethodContext): Promise<JsonObject> {
  const { ref, argument } = params;
  if (!isObject(ref) || !isObject(argument)) throw invalidParams('ref and argument are objects');
  const found = await context.surface.complete(
    { of: referenceOf(ref, context.surface), argument: text(argument, 'name'), typed: text(argument, 'value') },
    context,
  );
  const values = found.slice(0, MAX_COMPLETIONS);
  return { completion: { values, total: found.length, hasMore: found.length > values.length } };
}

function referenceOf(ref: JsonObject, surface: Surface): CompletionRequest['of'] {
  if (ref['type'] === 'ref/prompt') return { kind: 'prompt', name: promptNamed(text(ref, 'name'), surface).name };
  if (ref['type'] === 'ref/resource') return { kind: 'resource', name: text(ref, 'uri') };
  throw invalidParams('ref.type is ref/prompt or ref/resource');
}

function describePrompt({ name, title, description, arguments: args }: ServedPrompt): JsonObject {
  return { name, title, description, arguments: args };
}

function promptNamed(name: string, surface: Surface): ServedPrompt {
  const prompt = surface.prompts.find((each) => each.name === name);
  if (prompt === undefined) throw invalidParams(`unknown prompt: ${clipped(name)}`);
  return prompt;
}

function text(params: JsonObject, key: string): string {
  const value = params[key];
  if (typeof value !== 'string') throw invalidParams(`${key} is a text`);
  return value;
}

const MAX_SUBSCRIPTIONS = 10_000;

/** The resources that a client subscribes to, each with the version that was last announced. */
class Subscriptions {
  readonly #resources: ServedResources;
  readonly #announce: (uri: string) => void;
  readonly #known = new Map<string, string | null>();
  #checking: Promise<void> | null = null;
  #isOutdated = false;

  constructor(resources: ServedResources, announce: (uri: string) => void) {
    this.#resources = resources;
    this.#announce = announce;
  }

  /** False if there is no such resource. */
  async add(uri: string): Promise<boolean> {
    if (this.#known.size >= MAX_SUBSCRIPTIONS) throw invalidParams('there are too many subscriptions');
    const [version = null] = await this.#resources.versions([uri]);
    if (version !== null) this.#known.set(uri, version);
    return version !== null;
  }

  remove(uri: string): void {
    this.#known.delete(uri);
  }

  /** Announces the resources whose version has changed. Only one check runs at a time; a change meanwhile causes another. Never throws. */
  check(): Promise<void> {
    this.#isOutdated = true;
    this.#checking ??= this.#checkAll().finally(() => (this.#checking = null));
    return this.#checking;
  }

  async #checkAll(): Promise<void> {
    while (this.#isOutdated && this.#known.size > 0) {
      this.#isOutdated = false;
      const uris = [...this.#known.keys()];
      const versions = await this.#resources.versions(uris).catch(() => null);
      for (const [at, uri] of uris.entries()) {
        const version = versions?.[at];
        if (version === undefined || !this.#known.has(uri) || this.#known.get(uri) === version) continue;
        this.#known.set(uri, version);
        this.#announce(uri);
      }
    }
  }
}

/** A message as the protocol has it, of one whose params or arguments are null or an empty list for none, or arguments as JSON text. */
export function clientMessage(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { params, ...others } = message;
  if (isNone(params)) return others;
  if (!isObject(params)) return message;
  const typed = params['arguments'];
  const args = typeof typed === 'string' ? jsonOf(typed.trim() || '{}') : typed;
  return args === undefined ? message : { ...others, params: { ...params, arguments: isNone(args) ? {} : args } };
}

function isNone(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Whether a message, which may otherwise be malformed, is a notification: those are never answered. */
export function isNotification(message: unknown): boolean {
  return isObject(message) && typeof message['method'] === 'string' && !('id' in message);
}

/** The id of a message that may otherwise be malformed. */
export function idOf(message: unknown): string | number | undefined {
  const id = isObject(message) ? message['id'] : undefined;
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : undefined;
}

/** An error response; without an id if the request could not be read. */
export function errorResponse({ code, message, data }: ProtocolError, id?: string | number): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message, data } };
}

/** The error for parameters that a method cannot use. */
function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
