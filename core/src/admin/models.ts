import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AbortOptions, Unhealthy } from '../contracts/contribution.ts';
import type { CatalogModel, ModelCatalog, ModelDownload, ModelRole } from '../contracts/model-catalog.ts';
import { isAbsolute } from 'node:path';
import { withDeadline } from '../errors/abort.ts';
import { folderSize } from './folder-size.ts';
import { invalidInput, nearestName } from '../errors/invalid-input.ts';
import type { Ports } from '../ports.ts';
import type { ModelList, ModelPull } from '../wire/index.ts';

/** A model that the configuration names, and its provider. */
interface ConfiguredModel {
  readonly id: string;
  readonly role: ModelRole;
  readonly provider: string;
}

/** Options for following a download. */
export interface PullModelOptions extends AbortOptions {
  readonly onProgress?: (event: ModelPull) => void;
}

/** A server that does not answer quickly is treated as having no model. */
const PROBE = { operation: 'models list', timeoutMs: 1500 };

type KnownModel = CatalogModel & { readonly catalog: ModelCatalog };

/** The ports of model management. */
export type ModelPorts = Pick<
  Ports,
  | 'modelCatalogs'
  | 'clock'
  | 'embedders'
  | 'languageModels'
  | 'rerankers'
  | 'groundednessCheckers'
  | 'ocrEngines'
  | 'captioners'
> & {
  readonly config: Pick<ResolvedConfig, 'models' | 'ocr' | 'caption'>;
};

/** The models that plugins can download, and those that the configuration names. */
export class Models {
  readonly #ports: ModelPorts;

  constructor(ports: ModelPorts) {
    this.#ports = ports;
  }

  /** Every model that a catalog lists or the configuration names, by role and id. */
  async list(): Promise<ModelList> {
    const configured = configuredModels(this.#ports.config);
    const isConfigured = (model: { readonly id: string; readonly role: ModelRole }): boolean =>
      configured.some(({ id, role }) => id === model.id && role === model.role);
    const known = await this.#known();
    const rows = known.map(({ catalog, ...model }) => ({
      ...model,
      provider: catalog.id,
      configured: isConfigured(model),
    }));
    const others = await Promise.all(
      configured
        .filter(({ id, role }) => !known.some((model) => model.id === id && model.role === role))
        .map(async (model) => ({ ...model, ...(await this.#found(model)), configured: true })),
    );
    const models = [...rows, ...others].map(({ id, role, provider, present, bytes, configured: is }) => ({
      id,
      role,
      provider,
      present,
      bytes,
      configured: is,
    }));
    return { schema_version: 'model_list.v1', models };
  }

  /**
   * Downloads a model, or without a name each configured one that a catalog lists. Errors: `invalid_input` for a model that no catalog
   * lists, `model_unreachable`, `cancelled`.
   */
  async pull(model: string | undefined, options: PullModelOptions = {}): Promise<ModelPull> {
    const known = await this.#known();
    const wanted = model === undefined ? this.#wanted(known) : [named(model, known)];
    let last: ModelPull | undefined;
    for (const one of wanted) last = await this.#pull(one, options);
    if (last !== undefined) return last;
    throw invalidInput('the configuration names no model that can be fetched', {
      field: 'model',
      hint: 'name one: `kebab models list` shows them',
    });
  }

  /** Whether a model outside all catalogs is available: as a folder, or according to its provider. */
  async #found({
    id,
    role,
    provider,
  }: ConfiguredModel): Promise<{ readonly present: boolean; readonly bytes: number | null }> {
    const bytes = isAbsolute(id) ? await folderSize(id) : 0;
    const present = await withDeadline(() => this.#probe(role, provider), PROBE).then(
      (isThere) => isThere,
      () => false,
    );
    return { present, bytes: bytes === 0 ? null : bytes };
  }

  /** False for roles that cannot be probed; throws when the model is unavailable. */
  async #probe(role: ModelRole, provider: string): Promise<boolean> {
    const { embedders, languageModels, rerankers, groundednessCheckers, ocrEngines, captioners } = this.#ports;
    const catalogs = {
      embedding: embedders,
      llm: languageModels,
      rerank: rerankers,
      nli: groundednessCheckers,
      ocr: ocrEngines,
      caption: captioners,
    };
    const model: { readonly probe?: () => Promise<unknown>; readonly health?: () => Promise<Unhealthy | null> } =
      await catalogs[role].get(provider);
    if (model.probe !== undefined) await model.probe();
    return model.probe !== undefined || ((await model.health?.()) ?? null) === null;
  }

  async #pull({ id, catalog }: KnownModel, { signal, onProgress }: PullModelOptions): Promise<ModelPull> {
    let at: ModelDownload = { bytesDone: 0, bytesTotal: null };
    const event = (kind: ModelPull['kind'], path: string | null): ModelPull => ({
      schema_version: 'model_pull.v1',
      ts: this.#ports.clock.now().toISOString(),
      kind,
      model: id,
      bytes_done: at.bytesDone,
      bytes_total: at.bytesTotal,
      path,
    });
    onProgress?.(event('started', null));
    const path = await catalog.pull(id, {
      ...(signal === undefined ? {} : { signal }),
      onProgress: (download) => {
        at = download;
        onProgress?.(event('progress', null));
      },
    });
    const finished = event('finished', path);
    onProgress?.(finished);
    return finished;
  }

  #wanted(known: readonly KnownModel[]): readonly KnownModel[] {
    const configured = configuredModels(this.#ports.config);
    return known.filter((model) => configured.some(({ id, role }) => id === model.id && role === model.role));
  }

  async #known(): Promise<readonly KnownModel[]> {
    const catalogs = await this.#ports.modelCatalogs.all();
    const lists = await Promise.all(
      catalogs.map(async (catalog) => (await catalog.list()).map((model) => ({ ...model, catalog }))),
    );
    return lists.flat();
  }
}

function named(model: string, known: readonly KnownModel[]): KnownModel {
  const found = known.find(({ id }) => id === model);
  if (found !== undefined) return found;
  const ids = known.map(({ id }) => id);
  const suggestion = nearestName(model, ids);
  throw invalidInput(`no plugin knows how to fetch the model "${model}"`, {
    field: 'model',
    value: model,
    allowed: ids,
    ...(suggestion === undefined ? {} : { suggestion }),
    hint: 'a model on an Ollama server is fetched by `ollama pull`; a folder with a model needs no fetching',
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
