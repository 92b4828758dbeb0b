import { KebabError } from '../src/errors/kebab-error.ts';
import type { ComponentName, Components } from '../src/plugin/components.ts';
import type { Contributions, PluginKind } from '../src/plugin/contributions.ts';
import { trustPolicyOf, type PluginOrigin } from '../src/plugin/trust-policy.ts';

/** Components by kind and id, preferred first. */
export type FakeContributions = { readonly [K in PluginKind]?: Readonly<Record<string, Contributions[K]>> };

/** Existing components, for tests: nothing is loaded, and access makes no difference. */
export class FakeComponents implements Components {
  readonly #contributions: FakeContributions;
  readonly #origin: PluginOrigin;

  constructor(contributions: FakeContributions, origin: PluginOrigin = 'builtin') {
    this.#contributions = contributions;
    this.#origin = origin;
  }

  list(kind: PluginKind): readonly ComponentName[] {
    const ids = Object.keys(this.#contributions[kind] ?? {});
    return ids.map((id) => ({
      kind,
      id,
      plugin: 'fake',
      pluginVersion: '1.0.0',
      policy: trustPolicyOf({ origin: this.#origin }),
    }));
  }

  async get<K extends PluginKind>(kind: K, id: string): Promise<Contributions[K]> {
    const found: Contributions[K] | undefined = this.#contributions[kind]?.[id];
    if (found !== undefined) return found;
    const cause = `no fake ${kind} "${id}"`;
    throw new KebabError('config_invalid', cause, { details: { path: null, key: null, cause, suggestion: null } });
  }

  /** The first model with that name, whatever its plugin; else the model with the id. */
  async languageModel(id: string, model: string): Promise<Contributions['llm']> {
    const models = Object.values(this.#contributions.llm ?? {});
    return models.find((each) => each.model.id === model) ?? this.get('llm', id);
  }

  async first<K extends PluginKind>(kind: K): Promise<Contributions[K]> {
    return this.get(kind, this.list(kind)[0]?.id ?? '');
  }

  async all<K extends PluginKind>(kind: K): Promise<readonly Contributions[K][]> {
    return Promise.all(this.list(kind).map(({ id }) => this.get(kind, id)));
  }
}
