import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AbortOptions, Unhealthy } from '../contracts/contribution.ts';
import type { CatalogModel, ModelCatalog, ModelDownload, ModelRole } from '../contracts/model-catalog.ts';
import { isAbsolute } from 'node:path';
import { withDeadline } from '../errors/abort.ts';
import { classifyError } from '../errors/classify-error.ts';
import { folderSize } from './folder-size.ts';
import { invalidInput, nearestName } from '../errors/invalid-input.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import { chatModelInForce, checkerInForce, embeddingModelInForce, isPluginsOwn } from '../embedding/model-in-force.ts';
import type { ComponentName } from '../plugin/components.ts';
import type { Ports } from '../ports.ts';
import type { ModelList, ModelPull } from '../wire/index.ts';

/** A model that the configuration names, and its provider. */
interface ConfiguredModel {
  readonly id: string;
  readonly role: ModelRole;
  readonly provider: string;
}

/** The checks that a model provider may support. */
interface Probed {
  readonly probe?: () => Promise<unknown>;
  readonly health?: () => Promise<Unhealthy | null>;
}

/** Options for following a download. */
export interface PullModelOptions extends AbortOptions {
  readonly onProgress?: (event: ModelPull) => void;
}

/** A server that does not answer quickly is treated as having no model. */
const PROBE = { operation: 'models list', timeoutMs: 1500 };

type KnownModel = CatalogModel & { readonly catalog: ModelCatalog };

/** The ports of model management. */
export type ModelPorts = Pick<Ports, 'modelCatalogs' | 'clock' | (typeof CATALOGS)[ModelRole]> & {
  readonly config: Pick<ResolvedConfig, 'models' | 'ocr' | 'caption' | 'storage'>;
};

/** Every model that a catalog lists or the configuration names, by role and id. */
export async function listModels(ports: ModelPorts): Promise<ModelList> {
  const configured = configuredModels(ports.config);
  const known = await knownModels(ports);
  const rows = known.map((model) => ({
    id: model.id,
    role: model.role,
    provider: model.catalog.id,
    present: model.present,
    bytes: model.bytes,
    configured: configured.some((one) => isServed(ports, one, model)),
  }));
  const others = configured
    .filter((one) => !known.some((model) => isServed(ports, one, model)))
    .map(async (one) => ({
      id: await idInForce(ports, one),
      role: one.role,
      provider: one.provider,
      ...(await availability(ports, one)),
      configured: true,
    }));
  return { schema_version: 'model_list.v1', models: [...rows, ...(await Promise.all(others))] };
}

/**
 * Downloads a model, or without a name each configured one that a catalog lists. Errors: `invalid_input` for a model that no catalog
 * lists, `model_unreachable`, `io_error`, `cancelled`.
 */
export async function pullModels(
  ports: ModelPorts,
  model?: string,
  options: PullModelOptions = {},
): Promise<ModelPull> {
  const known = await knownModels(ports);
  const configured = configuredModels(ports.config);
  const models =
    model === undefined
      ? known.filter((each) => configured.some((one) => isServed(ports, one, each)))
      : [named(model, known)];
  let last: ModelPull | undefined;
  for (const one of models) last = await pullOne(ports, one, options);
  if (last !== undefined) return last;
  throw invalidInput('the configuration names no model that can be fetched', {
    field: 'model',
    hint: 'name one: `kebab models list` shows them',
  });
}

async function knownModels({ modelCatalogs }: ModelPorts): Promise<readonly KnownModel[]> {
  const catalogs = await modelCatalogs.all();
  const lists = await Promise.all(
    catalogs.map(async (catalog) => (await catalog.list()).map((model) => ({ ...model, catalog }))),
  );
  return lists.flat();
}

/** Whether a catalog model is the configured one. The model of a third-party plugin can only be in a catalog of the same plugin. */
function isServed(ports: ModelPorts, { id, role, provider }: ConfiguredModel, model: KnownModel): boolean {
  if (model.id !== id || model.role !== role) return false;
  const names = providersOf(ports, role).names();
  if (!isPluginsOwn(names, provider)) return true;
  return pluginOf(ports.modelCatalogs.names(), model.catalog.id) === pluginOf(names, provider);
}

/** The id of a model that is in no catalog. A plugin's provider may use another model than the configuration names. */
async function idInForce(ports: ModelPorts, { id, role, provider }: ConfiguredModel): Promise<string> {
  const { embedders, languageModels, groundednessCheckers } = ports;
  if (role === 'embedding') return embeddingModelInForce({ provider, model: id }, embedders);
  if (role === 'llm') return chatModelInForce({ provider, model: id }, languageModels);
  return role === 'nli' ? checkerInForce({ provider, model: id }, groundednessCheckers.names()) : id;
}

/** Whether a model outside all catalogs is available: as a folder, or according to its provider. */
async function availability(
  ports: ModelPorts,
  { id, role, provider }: ConfiguredModel,
): Promise<{ readonly present: boolean; readonly bytes: number | null }> {
  const bytes = isAbsolute(id) ? await folderSize(id) : 0;
  const present = await withDeadline(() => isUsable(ports, role, provider), PROBE).catch(() => false);
  return { present, bytes: bytes === 0 ? null : bytes };
}

/** False for roles that cannot be probed; throws when the model is unavailable. */
async function isUsable(ports: ModelPorts, role: ModelRole, provider: string): Promise<boolean> {
  const model: Probed = await providersOf(ports, role).get(provider);
  if (model.probe !== undefined) await model.probe();
  return model.probe !== undefined || ((await model.health?.()) ?? null) === null;
}

/** Where the models of each role are found. */
const CATALOGS = {
  embedding: 'embedders',
  llm: 'languageModels',
  rerank: 'rerankers',
  nli: 'groundednessCheckers',
  ocr: 'ocrEngines',
  caption: 'captioners',
} as const satisfies Readonly<Record<ModelRole, keyof Ports>>;

function providersOf(
  ports: ModelPorts,
  role: ModelRole,
): { readonly names: () => readonly ComponentName[]; readonly get: (id: string) => Promise<Probed> } {
  return ports[CATALOGS[role]];
}

async function pullOne(
  { clock, config }: ModelPorts,
  { id, catalog }: KnownModel,
  { signal, onProgress }: PullModelOptions,
): Promise<ModelPull> {
  let at: ModelDownload = { bytesDone: 0, bytesTotal: null };
  const event = (kind: ModelPull['kind'], path: string | null): ModelPull => ({
    schema_version: 'model_pull.v1',
    ts: clock.now().toISOString(),
    kind,
    model: id,
    bytes_done: at.bytesDone,
    bytes_total: at.bytesTotal,
    path,
  });
  onProgress?.(event('started', null));
  const onDownload = (download: ModelDownload): void => {
    at = download;
    onProgress?.(event('progress', null));
  };
  const path = await catalog.pull(id, { signal, onProgress: onDownload }).catch((error: unknown) => {
    throw namingFolder(error, config.storage.modelDir);
  });
  const finished = event('finished', path);
  onProgress?.(finished);
  return finished;
}

/** An error of the file system in the folder of models names the setting that it follows from. */
function namingFolder(error: unknown, modelDir: string): unknown {
  const failure = classifyError(error);
  if (!isKebabError(failure, 'io_error') || failure.details.path?.startsWith(modelDir) !== true) return error;
  const isFull = /^(?:ENOSPC|EDQUOT)$/.test(failure.details.kind);
  return new KebabError('io_error', `storage.model_dir is ${modelDir}, but ${failure.message}`, {
    details: failure.details,
    cause: error,
    hint: isFull ? failure.hint : 'name another folder: `kebab config set storage.model_dir FOLDER`',
  });
}

function pluginOf(names: readonly ComponentName[], catalogOrProvider: string): string | undefined {
  return names.find(({ id }) => id === catalogOrProvider)?.plugin;
}

function named(model: string, known: readonly KnownModel[]): KnownModel {
  const listedModel = known.find(({ id }) => id === model);
  if (listedModel !== undefined) return listedModel;
  const ids = known.map(({ id }) => id);
  const suggestion = nearestName(model, ids);
  throw invalidInput(`no plugin knows how to fetch the model "${model}"`, {
    field: 'model',
    value: model,
    allowed: ids,
    suggestion,
    hint: 'see `kebab models list`; models of an Ollama server are fetched with `ollama pull`, and a local folder needs no fetching',
  });
}

function configuredModels({
  models,
  ocr,
  caption,
}: Pick<ResolvedConfig, 'models' | 'ocr' | 'caption'>): readonly ConfiguredModel[] {
  const { embedding, llm, rerank, nli } = models;
  const all: readonly ConfiguredModel[] = [
    { id: embedding.model, role: 'embedding', provider: embedding.provider },
    { id: llm.model, role: 'llm', provider: llm.provider },
    { id: rerank.model, role: 'rerank', provider: rerank.provider },
    { id: nli.model, role: 'nli', provider: nli.provider },
    { id: ocr.model, role: 'ocr', provider: ocr.engine },
    { id: caption.model, role: 'caption', provider: caption.provider },
  ];
  return all.filter(({ id, provider }) => id !== '' && provider !== 'none');
}
