import { clipped } from '@kebab/core/app';
import {
  checkStatelessMeta,
  eraOf,
  META,
  metaOf,
  type Era,
  errorResponse,
  idOf,
  readMessage,
  RPC_CODES,
  RpcError,
  type JsonObject,
  type OutgoingNotification,
  type RequestId,
  type RpcRequest,
  type RpcResponse,
  LEGACY_REVISIONS,
  STATELESS_REVISIONS,
  isObject,
} from './json-rpc.ts';
import type { Progress, Surface, CallContext, CompletionRequest, ServedPrompt } from './surface.ts';

/** How the response to a message reaches its client. */
export interface Delivery {
  /** Sends a notification that belongs to the request. */
  readonly notify: (notification: OutgoingNotification) => void;
  /** Fires when the response can no longer be read. */
  readonly signal?: AbortSignal | undefined;
  /** The revision named by the transport, as in an HTTP header. */
  readonly announced?: string | undefined;
}

/** The outcome of a message. */
export interface Outcome {
  /** Null for a notification and for a cancelled request: nothing is sent. */
  readonly response: RpcResponse | null;
  readonly httpStatus: number;
}

const NOTHING: Outcome = { response: null, httpStatus: 202 };

/**
 * Handles the messages of one client, in both eras, with one surface. Requests run concurrently; the only state kept is how to cancel them
 * while they run. Never throws.
 */
export class Connection {
  readonly #surface: Surface;
  readonly #running = new Map<RequestId, AbortController>();
  #subscriptions: Subscriptions | null = null;
  /** Whether the client has opened with `initialize`: others expect only responses. */
  #isOpen = false;

  /** `send` can reach the client at any time, if the transport supports that; it is used for subscriptions. */
  constructor(surface: Surface, send?: (notification: OutgoingNotification) => void) {
    this.#surface = surface;
    if (send === undefined || surface.onChange === undefined) return;
    const subscriptions = new Subscriptions(surface.resources, (uri) =>
      send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }),
    );
    this.#subscriptions = subscriptions;
    surface.onChange(() => {
      if (!this.#isOpen) return;
      send({ jsonrpc: '2.0', method: 'notifications/resources/list_changed', params: {} });
      void subscriptions.check();
    });
  }

  /** Requests that have no response yet. */
  get running(): number {
    return this.#running.size;
  }

  /** Handles one message, already parsed as JSON. */
  async handle(message: unknown, delivery: Delivery): Promise<Outcome> {
    try {
      const read = readMessage(message);
      if (read.kind === 'request') return await this.#answer(read, delivery);
      if (read.kind === 'notification') this.#notice(read.method, read.params);
      return NOTHING;
    } catch (error) {
      return failed(error, idOf(message));
    }
  }

  #notice(method: string, params: JsonObject): void {
    if (method !== 'notifications/cancelled') return;
    this.#running
      .get(params['requestId'] as RequestId)
      ?.abort(new DOMException('cancelled by the client', 'AbortError'));
  }

  async #answer(request: RpcRequest, delivery: Delivery): Promise<Outcome> {
    const { id } = request;
    if (this.#running.has(id))
      throw new RpcError(RPC_CODES.invalidRequest, `the id ${JSON.stringify(id)} is that of a request still running`);
    const controller = new AbortController();
    const abort = (): void => controller.abort(delivery.signal?.reason);
    if (delivery.signal?.aborted === true) abort();
    delivery.signal?.addEventListener('abort', abort, { once: true });
    this.#running.set(id, controller);
    try {
      const result = await this.#run(request, { ...delivery, signal: controller.signal });
      return controller.signal.aborted ? NOTHING : { response: { jsonrpc: '2.0', id, result }, httpStatus: 200 };
    } catch (error) {
      return controller.signal.aborted ? NOTHING : failed(error, id);
    } finally {
      this.#running.delete(id);
      delivery.signal?.removeEventListener('abort', abort);
    }
  }

  async #run(request: RpcRequest, delivery: Delivery & { readonly signal: AbortSignal }): Promise<JsonObject> {
    const { method: name, params } = request;
    const era = eraOf(request, delivery.announced);
    if (era === 'stateless') checkStatelessMeta(params);
    const method = methodFor(name, era);
    if (name === 'initialize') this.#isOpen = true;
    const context = {
      surface: this.#surface,
      era,
      subscriptions: this.#subscriptions,
      signal: delivery.signal,
      progress: progressSink(params, delivery),
    };
    const result = await method.run(params, context);
    return era === 'legacy' ? result : this.#stateless(result, method);
  }

  /** Adds the members of stateless results: that they are complete, the server, and how long they may be cached. */
  #stateless(result: JsonObject, { cache }: Method): JsonObject {
    return { resultType: 'complete', ...result, ...cache, _meta: { [META.serverInfo]: this.#surface.info } };
  }
}

function methodFor(name: string, era: Era): Method {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (method !== undefined && (method.only ?? era) === era) return method;
  throw new RpcError(RPC_CODES.methodNotFound, `method not found: ${clipped(name)}`, {
    httpStatus: era === 'stateless' ? 404 : 200,
  });
}

/** Reports progress with the token of the request: it only increases, and nothing is sent after a cancellation. */
function progressSink(
  params: JsonObject,
  { notify, signal }: Delivery & { readonly signal: AbortSignal },
): (progress: Progress) => void {
  const { progressToken } = metaOf(params) as { readonly progressToken?: unknown };
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return () => undefined;
  let last = -1;
  return ({ done, total, message }) => {
    if (signal.aborted || done <= last) return;
    last = done;
    notify({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress: done, total, message },
    });
  };
}

function failed(error: unknown, id: RequestId | undefined): Outcome {
  return { response: errorResponse(error, id), httpStatus: error instanceof RpcError ? error.httpStatus : 200 };
}

/** The context of a method. */
interface MethodContext extends CallContext {
  readonly surface: Surface;
  readonly era: Era;
  /** The resources that the client subscribed to; null if the transport cannot send notifications. */
  readonly subscriptions: Subscriptions | null;
}

/** A method of the protocol. */
interface Method {
  /** The eras that support it; both by default. */
  readonly only?: Era;
  /** How long a stateless client may cache the result, and who may share it. */
  readonly cache?: { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' };
  run(params: JsonObject, context: MethodContext): Promise<JsonObject> | JsonObject;
}

const MAX_COMPLETIONS = 100;
const MAX_SUBSCRIPTIONS = 10_000;
/** For lists that only change with a new version of the program. */
const FIXED = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
/** For lists that another process may change at any time. */
const LIVE = { ttlMs: 0, cacheScope: 'private' } as const;

/** Every method that is served, by name. */
export const METHODS: Readonly<Record<string, Method>> = {
  initialize: { only: 'legacy', run: initialize },
  ping: { only: 'legacy', run: () => ({}) },
  'server/discover': {
    only: 'stateless',
    cache: FIXED,
    run: (_params, { surface }) => ({
      supportedVersions: STATELESS_REVISIONS,
      capabilities: capabilitiesOf(null),
      instructions: surface.instructions,
    }),
  },
  'tools/list': {
    cache: FIXED,
    run: async (_params, { surface }) => ({
      tools: await Promise.all(surface.tools.filter(({ listed }) => listed).map((tool) => tool.describe())),
    }),
  },
  'tools/call': { run: callTool },
  'resources/list': { cache: LIVE, run: listResources },
  'resources/templates/list': {
    cache: FIXED,
    run: (_params, { surface }) => ({ resourceTemplates: surface.resources.templates }),
  },
  'resources/subscribe': { only: 'legacy', run: (params, context) => subscribe(params, context, true) },
  'resources/unsubscribe': { only: 'legacy', run: (params, context) => subscribe(params, context, false) },
  'resources/read': { cache: LIVE, run: readResource },
  'prompts/list': {
    cache: FIXED,
    run: (_params, { surface }) => ({ prompts: surface.prompts.map(describePrompt) }),
  },
  'prompts/get': { run: getPrompt },
  'completion/complete': { run: complete },
};

function initialize(params: JsonObject, { surface, subscriptions }: MethodContext): JsonObject {
  const wanted = text(params, 'protocolVersion');
  return {
    protocolVersion: LEGACY_REVISIONS.includes(wanted) ? wanted : LEGACY_REVISIONS[0],
    capabilities: capabilitiesOf(subscriptions),
    serverInfo: surface.info,
    instructions: surface.instructions,
  };
}

function capabilitiesOf(subscriptions: MethodContext['subscriptions']): JsonObject {
  const resources = subscriptions === null ? {} : { subscribe: true, listChanged: true };
  return { tools: {}, resources, prompts: {}, completions: {} };
}

async function subscribe(params: JsonObject, context: MethodContext, wanted: boolean): Promise<JsonObject> {
  const { subscriptions } = context;
  const uri = text(params, 'uri');
  if (subscriptions === null)
    throw new RpcError(RPC_CODES.methodNotFound, 'this transport sends no messages on its own');
  if (!wanted) subscriptions.remove(uri);
  else if (!(await subscriptions.add(uri))) throw notFound(uri, context);
  return {};
}

/** The resources that a client subscribes to, each with the version that was last announced. */
class Subscriptions {
  readonly #resources: Surface['resources'];
  readonly #announce: (uri: string) => void;
  readonly #known = new Map<string, string | null>();
  #checking: Promise<void> | null = null;
  #isOutdated = false;

  constructor(resources: Surface['resources'], announce: (uri: string) => void) {
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

async function callTool(params: JsonObject, context: MethodContext): Promise<JsonObject> {
  const name = text(params, 'name');
  const args = params['arguments'] ?? {};
  if (!isObject(args)) throw invalidParams('arguments is an object');
  const tool = context.surface.tools.find((each) => each.name === name);
  if (tool === undefined) throw invalidParams(`unknown tool: ${clipped(name)}`);
  return { ...(await tool.call(args, context)) };
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

function notFound(uri: string, { era }: MethodContext): RpcError {
  const code = era === 'legacy' ? RPC_CODES.resourceNotFound : RPC_CODES.invalidParams;
  return new RpcError(code, `resource not found: ${clipped(uri)}`, { data: { uri: clipped(uri) } });
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

function invalidParams(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidParams, message);
}
