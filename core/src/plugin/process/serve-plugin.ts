import { isDeepStrictEqual } from 'node:util';
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
import { membersOf, type RemoteKind } from './contract-members.ts';
import {
  type CallAnswer,
  type LoadedFacts,
  type MadeContribution,
  type Outcome,
  type PluginMessage,
  type PluginReport,
  type PluginStart,
  type Question,
  type RemoteCall,
  type RemoteState,
  type RemoteWish,
  type SentArgument,
  type StreamAnswer,
  outcomeAtOnce,
  outcomeOf,
  receivedFrom,
  sentFailure,
} from './plugin-messages.ts';
import {
  adaptFileSystem,
  fenceNetwork,
  fetchAnything,
  openChannel,
  type Send,
  startWatchdog,
} from './process-program.ts';

/** Makes the calling process host one plugin and answer requests until its parent ends. */
export function servePlugin(): void {
  let served: ServedPlugin | undefined;
  const send = openChannel((data) => {
    const message = data as PluginMessage;
    if (message.kind !== 'start') return served?.hear(message);
    served = new ServedPlugin(message.start, send);
    send({ kind: 'ready' } satisfies PluginReport);
  });
}

/** The maximum number of stream items sent together. */
const MAX_ITEMS = 256;

interface Made {
  readonly kind: RemoteKind;
  readonly object: Readonly<Record<string, unknown>>;
  /** As last sent. */
  state: RemoteState;
}

interface Stream {
  readonly made: Made;
  readonly iterator: AsyncIterator<unknown>;
  /** An item that was requested but has not arrived. */
  pending: Promise<IteratorResult<unknown>> | null;
}

type Method = (...args: readonly unknown[]) => unknown;

class ServedPlugin {
  readonly #start: PluginStart;
  readonly #send: Send;
  readonly #log: Logger;
  readonly #contexts = new Map<string, Promise<{ readonly ready: ReadyPlugin; readonly context: PluginContext }>>();
  readonly #made = new Map<number, Made>();
  readonly #streams = new Map<number, Stream>();
  readonly #stops = new Map<number, AbortController>();
  readonly #lookups = new Map<number, (outcome: Outcome) => void>();
  #facts: LoadedFacts | null;
  #lastId = 0;

  constructor(start: PluginStart, send: Send) {
    this.#start = start;
    this.#send = send;
    this.#facts = start.manifest;
    this.#log = loggerTo((report) => this.#report(report));
    fenceNetwork(start.hosts);
    adaptFileSystem();
    startWatchdog(start);
  }

  hear(message: Exclude<PluginMessage, { readonly kind: 'start' }>): void {
    switch (message.kind) {
      case 'ask':
        return void this.#answer(message.id, message.question);
      case 'abort':
        return this.#stops.get(message.id)?.abort(new DOMException('the call was cancelled', 'AbortError'));
      case 'stop':
        return void this.#forget(message.stream)
          ?.iterator.return?.()
          ?.catch(() => {});
      case 'found':
        this.#lookups.get(message.id)?.(message.outcome);
        this.#lookups.delete(message.id);
        return;
      default:
        return message satisfies never;
    }
  }

  async #answer(id: number, question: Question): Promise<void> {
    const outcome = await outcomeOf(() => this.#answerTo(id, question));
    try {
      this.#send({ kind: 'answer', id, outcome } satisfies PluginReport);
    } catch (error) {
      const cause = new Error(`its answer cannot leave its process: ${(error as Error).message}`);
      this.#send({ kind: 'answer', id, outcome: { kind: 'failed', error: sentFailure(cause) } } satisfies PluginReport);
    }
  }

  async #answerTo(id: number, question: Question): Promise<unknown> {
    switch (question.kind) {
      case 'ping':
        return null;
      case 'load':
        return this.#load();
      case 'configure':
        await this.#contextOf(question);
        return null;
      case 'create':
        return this.#create(question.wish);
      case 'call':
        return this.#call(id, question.call);
      case 'open':
        return this.#open(id, question.call);
      case 'next':
        return this.#next(question.stream);
      default:
        return question satisfies never;
    }
  }

  async #load(): Promise<LoadedFacts> {
    const { specifier, manifest } = this.#start;
    const plugin = asPlugin((await this.#module()).default, { specifier, manifest });
    const { name, version, apiVersion, permissions } = plugin;
    this.#facts ??= { name, version, apiVersion, contributes: contributedIds(plugin), permissions };
    return this.#facts;
  }

  #module(): Promise<{ readonly default: unknown }> {
    return importPlugin(this.#start.moduleUrl);
  }

  #contextOf({ context: key, settings }: Extract<Question, { readonly kind: 'configure' }>): Promise<{
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
    const { tmpDir, dataDir, cacheDir } = this.#start;
    const cache = ownEntries(new FileDerivationCache({ folder: cacheDir, readonly: true }), manifest.name);
    return {
      config,
      log: this.#log,
      cache: {
        get: (key) => cache.get(key),
        set: (key, payload) => {
          cache.set(key, payload);
          this.#report({ kind: 'cached', key, payload });
        },
      },
      tmpDir,
      get dataDir() {
        return madeFolder(dataDir);
      },
      clock: { now: () => new Date() },
      documents: () => this.#documents(),
      knowledgeBase: async () => (await this.#lookUp('knowledgeBase', [])) as string,
      ...permittedFetch({ manifest, policy: trustPolicyOf({ origin: 'path' }) }, fetchAnything),
    };
  }

  /** Every read goes to the process that has the database open. */
  async #documents(): Promise<CommittedDocuments> {
    await this.#lookUp('documents', []);
    const remote = new Proxy({} as CommittedDocuments, {
      get:
        (_, method) =>
        (...args: readonly unknown[]) =>
          this.#lookUp(String(method), args),
    });
    return committedDocuments(remote);
  }

  async #lookUp(method: string, args: readonly unknown[]): Promise<unknown> {
    const id = ++this.#lastId;
    const outcome = new Promise<Outcome>((resolve) => this.#lookups.set(id, resolve));
    this.#send({ kind: 'look-up', id, method, args } satisfies PluginReport);
    return receivedFrom(await outcome);
  }

  async #create({ kind, id, ...key }: RemoteWish): Promise<MadeContribution> {
    const context = this.#contexts.get(JSON.stringify(key));
    if (context === undefined) throw new Error('it was not configured');
    const { ready, context: pluginContext } = await context;
    const factory = ready.plugin.contributes[kind]?.[id] as Factory<unknown, unknown> | undefined;
    if (factory === undefined) throw new Error(`its code contributes no ${kind} "${id}", as its manifest says`);
    const object = await factory(pluginContext);
    if (typeof object !== 'object' || object === null) throw new Error(`its ${kind} "${id}" is not an object`);
    const made: Made = { kind, object: object as Made['object'], state: {} };
    made.state = stateOf(made);
    const handle = ++this.#lastId;
    this.#made.set(handle, made);
    const methods = membersOf(kind).flatMap(([name]) => (typeof made.object[name] === 'function' ? [name] : []));
    return { handle, methods, state: made.state, ofMedia: ofMedia(made) };
  }

  async #call(id: number, { handle, method, args }: RemoteCall): Promise<CallAnswer> {
    const made = this.#madeAt(handle);
    if (method === 'close') this.#made.delete(handle);
    try {
      const value = await (made.object[method] as Method)(
        ...args.map((one) => frozenFor(made, this.#revived(id, one))),
      );
      return { value, ...changedState(made) };
    } finally {
      this.#stops.delete(id);
    }
  }

  async #open(id: number, { handle, method, args }: RemoteCall): Promise<null> {
    const made = this.#madeAt(handle);
    const items = (await (made.object[method] as Method)(
      ...args.map((one) => this.#revived(id, one)),
    )) as AsyncIterable<unknown>;
    this.#streams.set(id, { made, iterator: items[Symbol.asyncIterator](), pending: null });
    return null;
  }

  /** The next item, with following ones that are already available. */
  async #next(id: number): Promise<StreamAnswer> {
    const stream = this.#streams.get(id);
    if (stream === undefined) return { items: [], isOver: true };
    const items: unknown[] = [];
    const first = await (stream.pending ?? stream.iterator.next());
    stream.pending = null;
    let isOver = first.done === true;
    if (!isOver) items.push(first.value);
    while (!isOver && items.length < MAX_ITEMS) {
      const next = Promise.resolve(stream.iterator.next());
      next.catch(() => {}); // the next request reports the rejection
      const soon = await Promise.race([next.catch(() => null), aTurn()]);
      if (soon === null) {
        stream.pending = next;
        break;
      }
      isOver = soon.done === true;
      if (!isOver) items.push(soon.value);
    }
    if (isOver) this.#forget(id);
    return { items, isOver, ...changedState(stream.made) };
  }

  #forget(id: number): Stream | undefined {
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    this.#stops.delete(id);
    return stream;
  }

  #madeAt(handle: number): Made {
    const made = this.#made.get(handle);
    if (made === undefined) throw new Error('it was closed');
    return made;
  }

  /** Restores an argument with its non-data members: a signal, a log, and callbacks. */
  #revived(id: number, { data, signal, log, listeners }: SentArgument): unknown {
    if (signal === undefined && log === undefined && listeners === undefined) return data;
    const callback = (listener: string): Method => {
      return (...args) => this.#report({ kind: 'callback', id, listener, args });
    };
    return {
      ...(data as object),
      ...(signal === true ? { signal: this.#stopOf(id).signal } : {}),
      ...(log === true ? { log: this.#log } : {}),
      ...Object.fromEntries((listeners ?? []).map((listener) => [listener, callback(listener)])),
    };
  }

  #stopOf(id: number): AbortController {
    const stop = this.#stops.get(id) ?? new AbortController();
    this.#stops.set(id, stop);
    return stop;
  }

  /** Sends a message that expects no answer. */
  #report(report: PluginReport): void {
    try {
      this.#send(report);
    } catch {
      // a log field that cannot be serialised
    }
  }
}

function loggerTo(report: (report: PluginReport) => void): Logger {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error'): Logger['info'] =>
    (message, fields) =>
      report({ kind: 'log', level, message, fields });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** The data members of a contribution. */
function stateOf({ kind, object }: Pick<Made, 'kind' | 'object'>): RemoteState {
  return Object.fromEntries(
    membersOf(kind).flatMap(([name, member]) => {
      if (member === 'value') return object[name] === undefined ? [] : [[name, object[name]]];
      return member === 'said' && typeof object[name] === 'function' ? [[name, (object[name] as Method)()]] : [];
    }),
  );
}

/** The data members if they have changed; a member that can no longer be read keeps its last value. */
function changedState(made: Made): { readonly state?: RemoteState } {
  try {
    const state = structuredClone(stateOf(made));
    if (isDeepStrictEqual(state, made.state)) return {};
    made.state = state;
    return { state };
  } catch {
    return {};
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
      new Map(media.map((one) => [mediaKey(one), outcomeAtOnce(() => (object[name] as Method)(one))])),
    ]),
  );
}

/** Hooks and interceptors receive frozen arguments: changes to a copy in this process would be lost silently. */
function frozenFor({ kind }: Made, value: unknown): unknown {
  const isPlain = typeof value === 'object' && value !== null && !('signal' in value);
  return isPlain && (kind === 'hook' || kind === 'interceptor') ? deepFreeze(value) : value;
}

function aTurn(): Promise<null> {
  return new Promise((resolve) => setImmediate(() => resolve(null)));
}
