import type { Logger } from '../../contracts/contribution.ts';
import { deepFreeze } from '../../domain/json.ts';
import { knownMediaTypes, mediaKey, type MediaType } from '../../domain/media.ts';
import type { MediaMatch } from '../../contracts/extractor.ts';
import { committedDocuments, type CommittedDocuments } from '../committed-documents.ts';
import { madeFolder } from '../data-folder.ts';
import type { Factory, PluginContext } from '../define-plugin.ts';
import { FileDerivationCache, ownEntries } from '../file-derivation-cache.ts';
import { importPlugin } from '../import-plugin.ts';
import { asPlugin, contributedIds, prepare, type ReadyPlugin } from '../loaded-plugin.ts';
import { permittedFetch, trustPolicyOf } from '../trust-policy.ts';
import type { Outcome, RequestCourse } from './channel.ts';
import { membersOf, type RemoteKind } from './contract-members.ts';
import type {
  LoadedFacts,
  MadeContribution,
  PluginRequest,
  PluginStart,
  RemoteState,
  RemoteWish,
} from './plugin-messages.ts';
import { explained, fetchAnything, type Parent, serveProcess } from './process-program.ts';
import { revivedArgument } from './sent-arguments.ts';

/** Makes the calling process host one plugin and answer requests until its parent ends. */
export function servePlugin(): void {
  serveProcess<PluginStart, PluginRequest>((start, parent) => {
    const plugin = new ServedPlugin(start, parent);
    return (request, course) => plugin.answer(request, course);
  });
}

interface Made {
  readonly kind: RemoteKind;
  readonly object: Readonly<Record<string, unknown>>;
}

type Method = (...args: readonly unknown[]) => unknown;

class ServedPlugin {
  readonly #start: PluginStart;
  readonly #parent: Parent;
  readonly #log: Logger;
  readonly #contexts = new Map<string, Promise<{ readonly ready: ReadyPlugin; readonly context: PluginContext }>>();
  readonly #made = new Map<number, Made>();
  #facts: LoadedFacts | null;
  #lastHandle = 0;

  constructor(start: PluginStart, parent: Parent) {
    this.#start = start;
    this.#parent = parent;
    this.#facts = start.manifest;
    this.#log = loggerTo(parent);
  }

  async answer(request: PluginRequest, course: RequestCourse): Promise<unknown> {
    switch (request.kind) {
      case 'load':
        return this.#load();
      case 'configure':
        await this.#contextOf(request);
        return null;
      case 'create':
        return this.#create(request.wish);
      case 'call':
        return this.#call(request, course);
      default:
        return request satisfies never;
    }
  }

  async #load(): Promise<LoadedFacts> {
    const { specifier, manifest } = this.#start;
    const plugin = await asPlugin((await this.#module()).default, { specifier, manifest });
    const { name, version, apiVersion, permissions } = plugin;
    this.#facts ??= { name, version, apiVersion, contributes: contributedIds(plugin), permissions };
    return this.#facts;
  }

  #module(): Promise<{ readonly default: unknown }> {
    return importPlugin(this.#start.moduleUrl);
  }

  #contextOf({ context: key, settings }: Extract<PluginRequest, { readonly kind: 'configure' }>): Promise<{
    readonly ready: ReadyPlugin;
    readonly context: PluginContext;
  }> {
    const at = JSON.stringify(key);
    let context = this.#contexts.get(at);
    if (context === undefined) {
      context = (async () => {
        const manifest = this.#facts ?? (await this.#load());
        const loaded = { manifest, rawConfig: this.#start.config, load: () => this.#module() };
        const ready = await prepare(loaded, settings);
        return { ready, context: this.#context(manifest, ready.config) };
      })();
      this.#contexts.set(at, context);
    }
    return context;
  }

  #context(manifest: LoadedFacts, config: unknown): PluginContext {
    const { tmpDir, dataDir, cacheDir, proxies } = this.#start;
    const cache = ownEntries(new FileDerivationCache({ folder: cacheDir, readonly: true }), manifest.name);
    return {
      config,
      log: this.#log,
      cache: {
        get: (key) => cache.get(key),
        set: (key, payload) => {
          cache.set(key, payload);
          this.#parent.report('cache', key, payload);
        },
      },
      tmpDir,
      get dataDir() {
        return madeFolder(dataDir);
      },
      clock: { now: () => new Date() },
      proxies,
      documents: () => this.#documents(),
      knowledgeBase: async () => (await this.#parent.call('knowledgeBase')) as string,
      ...permittedFetch({ manifest, policy: trustPolicyOf({ origin: 'path' }) }, fetchAnything),
    };
  }

  /** Every read goes to the process that has the database open. */
  async #documents(): Promise<CommittedDocuments> {
    await this.#parent.call('documents');
    const remote = new Proxy({} as CommittedDocuments, {
      get:
        (_, method) =>
        (...args: readonly unknown[]) =>
          this.#parent.call('documents', String(method), args),
    });
    return committedDocuments(remote);
  }

  async #create({ kind, id, ...key }: RemoteWish): Promise<MadeContribution> {
    const context = this.#contexts.get(JSON.stringify(key));
    if (context === undefined) throw new Error('it was not configured');
    const { ready, context: pluginContext } = await context;
    const factory = ready.plugin.contributes[kind]?.[id] as Factory<unknown, unknown> | undefined;
    if (factory === undefined) throw new Error(`its code contributes no ${kind} "${id}", as its manifest says`);
    const object = await factory(pluginContext);
    if (typeof object !== 'object' || object === null) throw new Error(`its ${kind} "${id}" is not an object`);
    const made: Made = { kind, object: object as Made['object'] };
    const handle = ++this.#lastHandle;
    this.#made.set(handle, made);
    const methods = membersOf(kind).flatMap(([name]) => (typeof made.object[name] === 'function' ? [name] : []));
    return { handle, methods, state: stateOf(made), ofMedia: ofMedia(made) };
  }

  /** The result of a method, or its stream. */
  async #call(
    { handle, method, args }: Extract<PluginRequest, { readonly kind: 'call' }>,
    course: RequestCourse,
  ): Promise<unknown> {
    const made = this.#madeAt(handle);
    if (method === 'close') this.#made.delete(handle);
    const answer = await (made.object[method] as Method)(
      ...args.map((one) => frozenFor(made, revivedArgument(one, course, this.#log))),
    );
    if (membersOf(made.kind).some(([name, member]) => name === method && member === 'stream'))
      return streamWithState(answer as AsyncIterable<unknown>, made, course);
    reportState(made, course);
    return answer;
  }

  #madeAt(handle: number): Made {
    const made = this.#made.get(handle);
    if (made === undefined) throw new Error('it was closed');
    return made;
  }
}

function loggerTo({ report }: Parent): Logger {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error'): Logger['info'] =>
    (message, fields) =>
      report('log', level, message, fields);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** The data members of a contribution. */
function stateOf({ kind, object }: Made): RemoteState {
  return Object.fromEntries(
    membersOf(kind).flatMap(([name, member]) => {
      if (member === 'value') return object[name] === undefined ? [] : [[name, object[name]]];
      return member === 'said' && typeof object[name] === 'function' ? [[name, (object[name] as Method)()]] : [];
    }),
  );
}

/** Reports the data members of a contribution after a call; those that can no longer be read keep their last values. */
function reportState(made: Made, course: RequestCourse): void {
  try {
    course.event('state', stateOf(made));
  } catch {
    // a getter that throws
  }
}

async function* streamWithState(items: AsyncIterable<unknown>, made: Made, course: RequestCourse): AsyncGenerator {
  try {
    yield* items;
  } finally {
    reportState(made, course);
  }
}

/** The answers of an extractor for every medium that kebab knows, and for the extensions that it declares. */
function ofMedia({ kind, object }: Made): MadeContribution['ofMedia'] {
  const methods = membersOf(kind).flatMap(([name, member]) =>
    member === 'of-media' && typeof object[name] === 'function' ? [name] : [],
  );
  if (methods.length === 0) return {};
  const { extensions = [] } = (object['match'] ?? {}) as MediaMatch;
  const named = extensions.map((ext): MediaType => ({ kind: 'other', ext }));
  const media = [...knownMediaTypes(), ...named];
  return Object.fromEntries(
    methods.map((name) => [
      name,
      new Map(media.map((one) => [mediaKey(one), outcomeOf(() => (object[name] as Method)(one))])),
    ]),
  );
}

function outcomeOf(work: () => unknown): Outcome {
  try {
    return { kind: 'value', value: work() };
  } catch (error) {
    return { kind: 'failed', error: explained(error) };
  }
}

/** Hooks and interceptors receive frozen arguments: changes to a copy in this process would be lost silently. */
function frozenFor({ kind }: Made, value: unknown): unknown {
  const isPlain = typeof value === 'object' && value !== null && !('signal' in value);
  return isPlain && (kind === 'hook' || kind === 'interceptor') ? deepFreeze(value) : value;
}
