import { KebabError } from '../errors/kebab-error.ts';
import { nearestName } from '../errors/nearest-name.ts';
import type { Access, ComponentName, Components } from './components.ts';
import type { Contributions, PluginKind } from './contributions.ts';
import type { Factory, PluginContext } from './define-plugin.ts';
import { prepare, type LoadedPlugin, type ReadyPlugin } from './loaded-plugin.ts';
import { pluginFailure } from './plugin-failure.ts';

/** How the components of one App are made. */
export interface ComponentsInit {
  /** Preferred first: third-party plugins in the order of the configuration, then the built-ins. */
  readonly plugins: readonly LoadedPlugin[];
  /** What a plugin is configured with; built-ins take theirs from kebab's own configuration. */
  readonly configOf: (plugin: LoadedPlugin, access: Access) => unknown;
  /** Everything a context holds but the configuration. */
  readonly contextOf: (plugin: LoadedPlugin) => Omit<PluginContext, 'config'>;
  /** Told once for each component that could not be made. */
  readonly onFailure: (name: ComponentName, error: Error) => void;
  /** Called before anything is opened for writing; throws `readonly_mode` to forbid it. */
  readonly allowWrite: () => void;
}

/** Kinds whose components are opened differently for reading and for writing. */
const STORES: ReadonlySet<PluginKind> = new Set(['document_store', 'lexical_index', 'job_repo', 'session_repo']);

interface Closable {
  close?(): void | Promise<void>;
}

/** The components of loaded plugins: each made at most once for each access, on first use, and closed last-made first. */
export class PluginComponents implements Components {
  readonly #init: ComponentsInit;
  readonly #made = new Map<string, Promise<unknown>>();
  readonly #contexts = new Map<string, Promise<ReadyContext>>();
  readonly #closers: (() => void | Promise<void>)[] = [];

  constructor(init: ComponentsInit) {
    this.#init = init;
  }

  list(kind: PluginKind): readonly ComponentName[] {
    const seen = new Set<string>();
    return this.#init.plugins.flatMap(({ manifest }) =>
      (manifest.contributes[kind] ?? [])
        .filter((id) => !seen.has(id) && seen.add(id))
        .map((id) => ({ kind, id, plugin: manifest.name, pluginVersion: manifest.version })),
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

  /** Closes every component that was made, the last first; the failures of all are thrown together. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#made.values());
    const failures: unknown[] = [];
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'closing failed');
  }

  async #make(
    loaded: LoadedPlugin,
    { kind, id, access }: { readonly kind: PluginKind; readonly id: string; readonly access: Access },
  ): Promise<unknown> {
    const { ready, context } = await this.#context(loaded, access);
    try {
      const factory = ready.plugin.contributes[kind]?.[id] as Factory<Closable, unknown> | undefined;
      if (factory === undefined) throw new Error(`its code contributes no ${kind} "${id}", as its manifest says`);
      const made = await factory(context);
      if (typeof made !== 'object' || made === null) throw new Error(`its ${kind} "${id}" is not an object`);
      this.#closers.push(() => made.close?.());
      return made;
    } catch (error) {
      throw pluginFailure(error, { plugin: loaded.manifest, kind, stage: 'create' });
    }
  }

  /** One context object for each plugin and access: what a plugin contributes together may share a connection by it. */
  #context(loaded: LoadedPlugin, access: Access): Promise<ReadyContext> {
    const key = `${loaded.manifest.name}/${access}`;
    let context = this.#contexts.get(key);
    if (context === undefined) {
      context = prepare(loaded, this.#init.configOf(loaded, access)).then((ready) => ({
        ready,
        context: { ...this.#init.contextOf(loaded), config: ready.config },
      }));
      this.#contexts.set(key, context);
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

interface ReadyContext {
  readonly ready: ReadyPlugin;
  readonly context: PluginContext;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
