import { invalidInput, nearestName, type CatalogModel, type ModelCatalog } from '@kebab/core';
import { BUILTIN_MANIFESTS, findManifest, isModelPath, listModels, pullModel } from '@kebab/onnx-kit';

/** Where models are downloaded from and stored. */
export interface TransformersCatalogInit {
  /** An absolute path: the folder with a folder for each model. */
  readonly modelDir: string;
  /** The hub to download from; the public one if omitted. */
  readonly hub?: string | undefined;
  readonly fetch: typeof fetch;
}

/** The models that run on this machine through ONNX, for all purposes. */
export class TransformersCatalog implements ModelCatalog {
  readonly id = 'transformers';
  readonly version = '1.0.0';
  readonly #init: TransformersCatalogInit;

  constructor(init: TransformersCatalogInit) {
    this.#init = init;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}`;
  }

  /** Models that can be downloaded. */
  async list(): Promise<readonly CatalogModel[]> {
    return listModels(this.#init.modelDir);
  }

  async pull(model: string, { signal, onProgress }: Parameters<ModelCatalog['pull']>[1] = {}): Promise<string> {
    const { modelDir, hub, fetch } = this.#init;
    const manifest = isModelPath(model) ? undefined : findManifest(model);
    if (manifest === undefined) throw unknown(model);
    return pullModel(manifest, {
      modelDir,
      fetch,
      ...(hub === undefined ? {} : { hub }),
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
  }
}

function unknown(model: string): Error {
  const ids = BUILTIN_MANIFESTS.map(({ id }) => id);
  const suggestion = nearestName(model, ids);
  return invalidInput(`there is no model "${model}" that could be fetched`, {
    field: 'model',
    value: model,
    allowed: ids,
    ...(suggestion === undefined ? {} : { suggestion }),
  });
}
