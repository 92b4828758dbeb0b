import type { Embedder } from '../contracts/embedder.ts';
import type { LanguageModel } from '../contracts/language-model.ts';
import type { Retriever } from '../contracts/retriever.ts';
import { isAbort } from '../errors/abort.ts';
import type { ComponentName } from '../plugin/components.ts';
import type { Ports } from '../ports.ts';

/** A model as a section of the configuration names it. */
interface ConfiguredModel {
  readonly provider: string;
  readonly model: string;
}

/** The components of one kind, by provider name. */
interface Providers<T> {
  readonly names: () => readonly ComponentName[];
  readonly get: (id: string) => Promise<T>;
}

/** The id of the embedding model in use. A plugin's provider may use a model of its own, whatever the configuration names. */
export function embeddingModelInForce(configured: ConfiguredModel, embedders: Providers<Embedder>): Promise<string> {
  return inForce(configured, embedders, ({ modelId }) => modelId);
}

/** The id of the language model in use, with the same rule. */
export function chatModelInForce(configured: ConfiguredModel, models: Providers<LanguageModel>): Promise<string> {
  return inForce(configured, models, ({ model }) => model.id);
}

/** The groundedness model in use, or the provider's name for a plugin's checker, which does not name its model. */
export function checkerInForce({ provider, model }: ConfiguredModel, names: readonly ComponentName[]): string {
  return isPluginsOwn(names, provider) ? provider : model;
}

/** The provider's name if the model of a plugin cannot be loaded. */
async function inForce<T>(
  { provider, model }: ConfiguredModel,
  { names, get }: Providers<T>,
  idOf: (made: T) => string,
): Promise<string> {
  if (!isPluginsOwn(names(), provider)) return model;
  try {
    return idOf(await get(provider));
  } catch (error) {
    if (isAbort(error)) throw error;
    return provider;
  }
}

/** Whether a plugin that the user added contributes a provider. */
export function isPluginsOwn(names: readonly ComponentName[], provider: string): boolean {
  return names.some(({ id, policy }) => id === provider && policy.place === 'as-configured');
}

/** The retriever of a plugin that ranks by vectors instead of the embedder; null if there is none. */
export async function vectorRetrieverInForce({ retrievers }: Pick<Ports, 'retrievers'>): Promise<Retriever | null> {
  if (retrievers.names().length === 0) return null;
  return (await retrievers.all()).find(({ scoreKind }) => scoreKind === 'cosine') ?? null;
}
