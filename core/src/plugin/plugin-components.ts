import { KebabError } from '../errors/kebab-error.ts';
import { nearestName } from '../errors/invalid-input.ts';
import type { Access, ComponentName, Components } from './components.ts';
import type { Contributions, PluginKind } from './contributions.ts';
import type { Factory, GivenSettings, PluginContext } from './define-plugin.ts';
import type { OnFailure } from './guard/guard.ts';
import { prepare, type LoadedPlugin, type ReadyPlugin } from './loaded-plugin.ts';
import { pluginFailure, withoutSecrets } from './plugin-failure.ts';
import { camelCase } from '../schema/field.ts';
import { secretsIn } from '../schema/mask-secrets.ts';
import type { RemoteWish } from './process/plugin-messages.ts';
import type { PluginProcesses } from './process/plugin-processes.ts';
import { withinLimit } from '../errors/abort.ts';

/** Options of {@link PluginComponents}. */
export interface ComponentsInit {
  /** Preferred first: third-party plugins in the order of the configuration, then the built-ins. */
  readonly plugins: readonly LoadedPlugin[];
  /** The id that the configuration chooses for a kind; undefined where it leaves the choice to the order of the plugins. */
  readonly chosen?: ((kind: PluginKind) => string | undefined) | undefined;
  /** The part of kebab's own configuration that a plugin receives. */
  readonly settingsOf: (plugin: LoadedPlugin, access: Access) => GivenSettings;
  /** Everything in a context except the configuration. */
  readonly contextOf: (plugin: LoadedPlugin) => Omit<PluginContext, 'config'>;
  /** Called once for each component that could not be created or closed. */
  readonly onFailure: OnFailure;
  /** Called for each failure that is attributed to a plugin; it is thrown as well. */
  readonly onCallFailure?: OnFailure;
  /** Called before anything is opened for writing; throws `readonly_mode` to forbid it. */
  readonly allowWrite: () => void;
  /** Runs the plugins that do not run in this process; without it all run here. */
  readonly processes?: PluginProcesses | undefined;
}

/** How long plugins may take to finish background work, such as hooks, when kebab exits. */
const CLOSE_MS = 5000;

/** Kinds whose components are opened differently for reading and for writing. */
const STORES: ReadonlySet<PluginKind> = new Set(['document_store', 'lexical_index', 'vector_store', 'session_repo']);

/**
 * Kinds whose every call is checked against the contract. Stores and indexes are not: they answer thousands of calls per search, and there
 * is no fallback for them. Interceptors and retrievers are checked by their callers.
 */
const GUARDED: ReadonlySet<PluginKind> = new Set([
  'source',
  'extractor',
  'chunker',
  'embedder',
  'reranker',
  'llm',
  'ocr',
  'captioner',
  'groundedness',
  'vector_store',
  'hook',
]);

interface Closable {
  close?(): void | Promise<void>;
}

/** The components of loaded plugins: each created at most once per access, on first use, and closed in reverse order of creation. */
export class PluginComponents implements Components {
  readonly #init: ComponentsInit;
  readonly #made = new Map<string, Promise<unknown>>();
  readonly #contexts: Readonly<Record<Access, Map<LoadedPlugin, Promise<ReadyContext>>>> = {
    read: new Map(),
    write: new Map(),
  };
  readonly #closing: ToClose[] = [];
  /** Read several times per file in an ingest. */
  readonly #names = new Map<PluginKind, readonly ComponentName[]>();
  readonly #watched = new Set<string>();

  constructor(init: ComponentsInit) {
    this.#init = init;
  }

  list(kind: PluginKind): readonly ComponentName[] {
    let names = this.#names.get(kind);
    if (names === undefined) {
      const seen = new Set<string>();
      names = this.#init.plugins.flatMap((loaded) =>
        (loaded.manifest.contributes[kind] ?? [])
          .filter((id) => !seen.has(id) && seen.add(id))
          .map((id) => this.#nameOf(loaded, kind, id)),
      );
      this.#names.set(kind, names);
    }
    return names;
  }

  async get<K extends PluginKind>(kind: K, id: string, access: Access = 'read'): Promise<Contributions[K]> {
    const opened = STORES.has(kind) ? access : 'read';
    if (STORES.has(kind) && access === 'write') this.#init.allowWrite();
    return this.#once({ kind, id, access: opened, model: null }) as Promise<Contributions[K]>;
  }

  /** Whether a component was created, or is being created. */
  isMade(kind: PluginKind, id: string): boolean {
    return this.#made.has(keyOf({ kind, id, access: 'read', model: null }));
  }

  async languageModel(id: string, model: string): Promise<Contributions['llm']> {
    return this.#once({ kind: 'llm', id, access: 'read', model }) as Promise<Contributions['llm']>;
  }

  #once(wanted: Wanted): Promise<unknown> {
    const { kind, id } = wanted;
    const plugin = this.#init.plugins.find(({ manifest }) => manifest.contributes[kind]?.includes(id));
    if (plugin === undefined) throw this.#unknown(kind, id);
    const key = keyOf(wanted);
    let made = this.#made.get(key);
    if (made === undefined) {
      made = this.#make(plugin, wanted);
      this.#made.set(key, made);
      made.catch(() => this.#made.delete(key)); // a store that does not exist yet may exist next time
    }
    return made;
  }

  async first<K extends PluginKind>(kind: K, access: Access = 'read'): Promise<Contributions[K]> {
    const id = this.#init.chosen?.(kind) ?? this.list(kind)[0]?.id;
    if (id === undefined) throw this.#unknown(kind, null);
    return this.get(kind, id, access);
  }

  async all<K extends PluginKind>(kind: K): Promise<readonly Contributions[K][]> {
    const names = this.list(kind);
    const settled = await Promise.allSettled(names.map(({ id }) => this.get(kind, id)));
    return settled.flatMap((outcome, index) => {
      if (outcome.status === 'fulfilled') return [outcome.value];
      const name = names[index];
      if (name !== undefined) this.#init.onFailure(name, asError(outcome.reason));
      return [];
    });
  }

  /** Closes every component that was created, in reverse order. Attributed failures go to `onFailure`; plain ones are thrown together. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#made.values());
    const failures: unknown[] = [];
    for (const { name, loaded, made } of this.#closing.splice(0).toReversed()) {
      try {
        const { closeMs } = name.policy.limits;
        await withinLimit(made.close?.(), { ms: closeMs, what: `its ${name.kind} did not close` });
      } catch (error) {
        const shown = withoutSecrets(error, name.secrets?.() ?? []);
        const failure = pluginFailure(shown, { plugin: loaded.manifest, kind: name.kind, stage: 'close' });
        if (name.policy.failures === 'plain') failures.push(failure);
        else this.#init.onFailure(name, failure);
      }
    }
    await this.#init.processes?.close(CLOSE_MS);
    if (failures.length > 0) throw new AggregateError(failures, 'closing failed');
  }

  /** Closes every component like {@link close}; a component requested later is created again. */
  async release(): Promise<void> {
    try {
      await this.close();
    } finally {
      this.#made.clear();
      for (const contexts of Object.values(this.#contexts)) contexts.clear(); // components may share a connection through the context
    }
  }

  async #make(loaded: LoadedPlugin, wanted: Wanted): Promise<unknown> {
    const { kind, id } = wanted;
    const name = this.#nameOf(loaded, kind, id);
    const { failures } = name.policy;
    const { processes } = this.#init;
    try {
      const made = await (processes?.has(loaded) === true
        ? (processes.make(loaded, wanted as RemoteWish, this.#settingsOf(loaded, wanted)) as Promise<Closable>)
        : this.#madeHere(loaded, wanted));
      this.#closing.push({ name, loaded, made });
      if (!GUARDED.has(kind)) return made;
      const { onFailure, onCallFailure = () => {} } = this.#init;
      const { guardContribution } = await import('./guard/guard.ts'); // a lexical search does not need it
      return guardContribution(made, name, { onFailure, onCallFailure });
    } catch (error) {
      const shown = withoutSecrets(error, name.secrets?.() ?? []);
      if (failures === 'plain') throw pluginFailure(shown, { plugin: loaded.manifest, kind, stage: 'create' });
      const { attributedFailure } = await import('./guard/guard.ts');
      const failure = attributedFailure(shown, name, 'create');
      this.#init.onCallFailure?.(name, failure);
      throw failure;
    }
  }

  async #madeHere(loaded: LoadedPlugin, wanted: Wanted): Promise<Closable> {
    const { kind, id, access, model } = wanted;
    await this.#watch(loaded);
    const { ready, context } = await (model === null
      ? this.#context(loaded, access)
      : this.#ready(loaded, this.#settingsOf(loaded, wanted)));
    const factory = ready.plugin.contributes[kind]?.[id] as Factory<Closable, unknown> | undefined;
    if (factory === undefined) throw new Error(`its code contributes no ${kind} "${id}", as its manifest says`);
    const what = `its factory of the ${kind} "${id}" did not finish`;
    const made = await withinLimit(factory(context), { ms: loaded.policy.limits.createMs, what });
    if (typeof made !== 'object' || made === null) throw new Error(`its ${kind} "${id}" is not an object`);
    return made;
  }

  /** Watches a third-party plugin that runs in this process, so that it cannot block kebab for ever. */
  async #watch({ manifest, policy: { isolation, limits } }: LoadedPlugin): Promise<void> {
    if (isolation !== 'sandboxed' || this.#init.processes === undefined || this.#watched.has(manifest.name)) return;
    this.#watched.add(manifest.name);
    const { watchForStalls } = await import('./process/stall-watch.ts');
    if (limits.callMs !== null) watchForStalls({ agent: `${manifest.name}@${manifest.version}`, maxMs: limits.callMs });
  }

  #settingsOf(loaded: LoadedPlugin, { access, model }: Wanted): GivenSettings {
    const settings = this.#init.settingsOf(loaded, access);
    return model === null ? settings : { ...settings, llm: { ...settings.llm, model } };
  }

  /** One context object per plugin and access: the contributions of a plugin may share a connection through it. */
  #context(loaded: LoadedPlugin, access: Access): Promise<ReadyContext> {
    const contexts = this.#contexts[access];
    let context = contexts.get(loaded);
    if (context === undefined) {
      context = this.#ready(loaded, this.#init.settingsOf(loaded, access));
      contexts.set(loaded, context);
    }
    return context;
  }

  async #ready(loaded: LoadedPlugin, settings: GivenSettings): Promise<ReadyContext> {
    const ready = await prepare(loaded, settings);
    return { ready, context: withConfig(this.#init.contextOf(loaded), ready.config) };
  }

  #nameOf(loaded: LoadedPlugin, kind: PluginKind, id: string): ComponentName {
    const { manifest, policy } = loaded;
    const secrets = (): readonly string[] => secretsOf(loaded, this.#init.settingsOf(loaded, 'read'));
    return { kind, id, plugin: manifest.name, pluginVersion: manifest.version, policy, secrets };
  }

  #unknown(kind: PluginKind, id: string | null): KebabError<'config_invalid'> {
    const ids = this.list(kind).map((name) => name.id);
    const what =
      id === null ? `no active plugin contributes a ${kind}` : `no active plugin contributes the ${kind} "${id}"`;
    return new KebabError('config_invalid', ids.length === 0 ? what : `${what}; there is ${ids.join(', ')}`, {
      details: { path: null, key: null, cause: what, suggestion: id === null ? null : (nearestName(id, ids) ?? null) },
      hint: 'see `kebab plugin list`',
    });
  }
}

/** The configuration values of a plugin under secret-looking names, and the keys of its section that it declares secret. */
function secretsOf({ manifest, rawConfig }: LoadedPlugin, settings: GivenSettings): readonly string[] {
  const keys = Object.entries(manifest.section?.keys ?? {});
  const secret = keys.filter(([, key]) => key.kind === 'text' && key.secret).map(([name]) => camelCase(name));
  const written = { ...settings.section, ...(rawConfig as Readonly<Record<string, unknown>>) };
  return secretsIn([rawConfig, settings, { secret: secret.map((name) => written[name]) }]);
}

/** A requested component; for a language model, optionally with another model than the configured one. */
interface Wanted {
  readonly kind: PluginKind;
  readonly id: string;
  readonly access: Access;
  readonly model: string | null;
}

function keyOf({ kind, id, access, model }: Wanted): string {
  return `${kind}/${id}/${access}${model === null ? '' : `/${model}`}`;
}

/** A component to close, and its plugin. */
interface ToClose {
  readonly name: ComponentName;
  readonly loaded: LoadedPlugin;
  readonly made: Closable;
}

interface ReadyContext {
  readonly ready: ReadyPlugin;
  readonly context: PluginContext;
}

/** Lazy members are getters, and remain getters. */
function withConfig(context: Omit<PluginContext, 'config'>, config: unknown): PluginContext {
  return Object.defineProperties({ config }, Object.getOwnPropertyDescriptors(context)) as PluginContext;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
