import { KebabError } from '../errors/kebab-error.ts';
import { nearestName } from '../errors/nearest-name.ts';
import type { Access, ComponentName, Components } from './components.ts';
import type { Contributions, PluginKind } from './contributions.ts';
import type { Factory, PluginContext } from './define-plugin.ts';
import type { OnStrangerFailure } from './guard/guard-contribution.ts';
import { prepare, type LoadedPlugin, type ReadyPlugin } from './loaded-plugin.ts';
import { pluginFailure } from './plugin-failure.ts';
import { withinLimit, type TimeLimit } from './time-limit.ts';

/** How the components of one App are made. */
export interface ComponentsInit {
  /** Preferred first: third-party plugins in the order of the configuration, then the built-ins. */
  readonly plugins: readonly LoadedPlugin[];
  /** What a plugin is configured with; built-ins take theirs from kebab's own configuration. */
  readonly configOf: (plugin: LoadedPlugin, access: Access) => unknown;
  /** Everything a context holds but the configuration. */
  readonly contextOf: (plugin: LoadedPlugin) => Omit<PluginContext, 'config'>;
  /** Told once for each component that could not be made, or not be closed. */
  readonly onFailure: (name: ComponentName, error: Error) => void;
  /** Told of each failure to make or to call what a plugin that is not built in contributes; it is thrown as well. */
  readonly onStrangerFailure?: OnStrangerFailure;
  /** Called before anything is opened for writing; throws `readonly_mode` to forbid it. */
  readonly allowWrite: () => void;
  /** How long a factory of a plugin that is not built in may take; a minute by default. */
  readonly createLimitMs?: number;
  /** How long its `close` may take; five seconds by default. */
  readonly closeLimitMs?: number;
}

/** Kinds whose components are opened differently for reading and for writing. */
const STORES: ReadonlySet<PluginKind> = new Set(['document_store', 'lexical_index', 'vector_store', 'session_repo']);

/** How long somebody else's code may take to make or to close a component. */
const CREATE_LIMIT_MS = 60_000;
const CLOSE_LIMIT_MS = 5000;

interface Closable {
  close?(): void | Promise<void>;
}

/** The components of loaded plugins: each made at most once for each access, on first use, and closed last-made first. */
export class PluginComponents implements Components {
  readonly #init: ComponentsInit;
  readonly #made = new Map<string, Promise<unknown>>();
  readonly #contexts: Readonly<Record<Access, Map<LoadedPlugin, Promise<ReadyContext>>>> = {
    read: new Map(),
    write: new Map(),
  };
  readonly #closing: ToClose[] = [];

  constructor(init: ComponentsInit) {
    this.#init = init;
  }

  list(kind: PluginKind): readonly ComponentName[] {
    const seen = new Set<string>();
    return this.#init.plugins.flatMap(({ manifest, origin }) =>
      (manifest.contributes[kind] ?? [])
        .filter((id) => !seen.has(id) && seen.add(id))
        .map((id) => ({
          ...{ kind, id, plugin: manifest.name, pluginVersion: manifest.version },
          builtin: origin === 'builtin',
        })),
    );
  }

  async get<K extends PluginKind>(kind: K, id: string, access: Access = 'read'): Promise<Contributions[K]> {
    const plugin = this.#init.plugins.find(({ manifest }) => manifest.contributes[kind]?.includes(id));
    if (plugin === undefined) throw this.#unknown(kind, id);
    const opened = STORES.has(kind) ? access : 'read';
    if (STORES.has(kind) && access === 'write') this.#init.allowWrite();
    const key = `${kind}/${id}/${opened}`;
    let made = this.#made.get(key);
    if (made === undefined) {
      made = this.#make(plugin, { kind, id, access: opened });
      this.#made.set(key, made);
      made.catch(() => this.#made.delete(key)); // a store that is not there yet may be there next time
    }
    return made as Promise<Contributions[K]>;
  }

  async first<K extends PluginKind>(kind: K, access: Access = 'read'): Promise<Contributions[K]> {
    const name = this.list(kind)[0];
    if (name === undefined) throw this.#unknown(kind, null);
    return this.get(kind, name.id, access);
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

  /**
   * Closes every component that was made, the last first. A plugin that is not built in and fails to is told to
   * `onFailure`; the failures of built-in ones are thrown together.
   */
  async close(): Promise<void> {
    await Promise.allSettled(this.#made.values());
    const failures: unknown[] = [];
    for (const { name, loaded, made } of this.#closing.splice(0).toReversed()) {
      try {
        await this.#bounded(loaded, made.close?.(), {
          what: `its ${name.kind} did not close`,
          ms: this.#init.closeLimitMs ?? CLOSE_LIMIT_MS,
        });
      } catch (error) {
        const failure = pluginFailure(error, { plugin: loaded.manifest, kind: name.kind, stage: 'close' });
        if (loaded.origin === 'builtin') failures.push(failure);
        else this.#init.onFailure(name, failure);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'closing failed');
  }

  /** Closes every component like {@link close}, and makes it anew when it is asked for again. */
  async release(): Promise<void> {
    try {
      await this.close();
    } finally {
      this.#made.clear();
      for (const contexts of Object.values(this.#contexts)) contexts.clear(); // a connection may be shared by context
    }
  }

  async #make(
    loaded: LoadedPlugin,
    { kind, id, access }: { readonly kind: PluginKind; readonly id: string; readonly access: Access },
  ): Promise<unknown> {
    const { name: plugin, version: pluginVersion } = loaded.manifest;
    const name: ComponentName = { kind, id, plugin, pluginVersion, builtin: loaded.origin === 'builtin' };
    try {
      const { ready, context } = await this.#context(loaded, access);
      const factory = ready.plugin.contributes[kind]?.[id] as Factory<Closable, unknown> | undefined;
      if (factory === undefined) throw new Error(`its code contributes no ${kind} "${id}", as its manifest says`);
      const made = await this.#bounded(loaded, factory(context), {
        what: `its factory of the ${kind} "${id}" did not finish`,
        ms: this.#init.createLimitMs ?? CREATE_LIMIT_MS,
      });
      if (typeof made !== 'object' || made === null) throw new Error(`its ${kind} "${id}" is not an object`);
      this.#closing.push({ name, loaded, made });
      if (name.builtin) return made;
      // Strangers are rare, and what watches them would be read by every cold search.
      const { onFailure, onStrangerFailure = () => {} } = this.#init;
      return (await import('./guard/guard-made.ts')).guardMade(made, name, { onFailure, onStrangerFailure });
    } catch (error) {
      if (name.builtin) throw pluginFailure(error, { plugin: loaded.manifest, kind, stage: 'create' });
      const { strangerFailure } = await import('./guard/stranger-failure.ts');
      const failure = strangerFailure(error, name, 'create');
      this.#init.onStrangerFailure?.(name, failure);
      throw failure;
    }
  }

  /** Waits for code of a plugin: for ever when it came with kebab, up to a limit when it did not. */
  async #bounded<T>({ origin }: LoadedPlugin, work: T | PromiseLike<T>, limit: TimeLimit): Promise<T> {
    return origin === 'builtin' ? work : withinLimit(Promise.resolve(work), limit);
  }

  /** One context object for each plugin and access: what a plugin contributes together may share a connection by it. */
  #context(loaded: LoadedPlugin, access: Access): Promise<ReadyContext> {
    const contexts = this.#contexts[access];
    let context = contexts.get(loaded);
    if (context === undefined) {
      context = prepare(loaded, this.#init.configOf(loaded, access)).then((ready) => ({
        ready,
        context: withConfig(this.#init.contextOf(loaded), ready.config),
      }));
      contexts.set(loaded, context);
    }
    return context;
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

/** A component to be closed, and whose it is. */
interface ToClose {
  readonly name: ComponentName;
  readonly loaded: LoadedPlugin;
  readonly made: Closable;
}

interface ReadyContext {
  readonly ready: ReadyPlugin;
  readonly context: PluginContext;
}

/** Members that cost something are getters, and stay so. */
function withConfig(context: Omit<PluginContext, 'config'>, config: unknown): PluginContext {
  return Object.defineProperties({ config }, Object.getOwnPropertyDescriptors(context)) as PluginContext;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
