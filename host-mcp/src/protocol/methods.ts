import { LEGACY_REVISIONS, STATELESS_REVISIONS, type Era } from './era.ts';
import { isObject, RPC_CODES, RpcError, type JsonObject } from './json-rpc.ts';
import type { CallContext, CompletionRequest, ServedPrompt, Surface } from './surface.ts';

/** The context of a method. */
export interface MethodContext extends CallContext {
  readonly surface: Surface;
  readonly era: Era;
  /** The resources that the client wants to hear of; null where nothing can be sent to it unasked. */
  readonly subscriptions: Set<string> | null;
}

/** A method of the protocol. */
export interface Method {
  /** The eras that have it; both by default. */
  readonly only?: Era;
  /** For how long a stateless client may keep the result, and who may share it. */
  readonly cache?: { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' };
  run(params: JsonObject, context: MethodContext): Promise<JsonObject> | JsonObject;
}

const MAX_COMPLETIONS = 100;
const MAX_SUBSCRIPTIONS = 10_000;
/** Lists that only a new version of the program changes. */
const FIXED = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
/** Lists that another process may change at any moment. */
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

function subscribe(params: JsonObject, { subscriptions }: MethodContext, wanted: boolean): JsonObject {
  const uri = text(params, 'uri');
  if (subscriptions === null) throw new RpcError(RPC_CODES.methodNotFound, 'nothing is sent unasked on this transport');
  if (wanted && subscriptions.size >= MAX_SUBSCRIPTIONS) throw invalidParams('there are too many subscriptions');
  if (wanted) subscriptions.add(uri);
  else subscriptions.delete(uri);
  return {};
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
  if (contents !== null) return { contents };
  const code = context.era === 'legacy' ? RPC_CODES.resourceNotFound : RPC_CODES.invalidParams;
  throw new RpcError(code, `resource not found: ${clipped(uri)}`, { data: { uri: clipped(uri) } });
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

function clipped(value: string): string {
  return value.length > 200 ? `${value.slice(0, 200)}…` : value;
}

function invalidParams(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidParams, message);
}
