import type { ConfigResolution } from '../config/resolve-config.ts';
import type { Clock, DerivationCache, Logger } from '../contracts/contribution.ts';
import { committedDocuments } from '../plugin/committed-documents.ts';
import type { Access, Components } from '../plugin/components.ts';
import { dataFolderOf, madeFolder } from '../plugin/data-folder.ts';
import type { GivenSettings, PluginContext } from '../plugin/define-plugin.ts';
import { ownEntries } from '../plugin/file-derivation-cache.ts';
import { kindsOf, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { PluginManifest } from '../plugin/read-manifest.ts';
import { proxiesIn } from '../plugin/proxy-settings.ts';
import { permittedFetch } from '../plugin/trust-policy.ts';
import type { AppEnvironment } from './environment.ts';
import path from 'node:path';
import { valuesOf } from '../config/key-table.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { GitFiles, KindSettings, StoreSettings, VisionSettings } from '../schema/kind-settings.ts';
import type { SectionValues } from '../schema/plugin-section.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { makeFolder } from '../files/write-atomically.ts';

/** What plugins are connected to. */
interface PluginContextsInit {
  readonly log: Logger;
  readonly clock: Clock;
  readonly resolution: ConfigResolution;
  readonly environment: AppEnvironment;
  readonly derivations: DerivationCache;
  readonly tmp: TemporaryFolder;
  readonly components: () => Components;
}

/** The services available to every plugin, wherever it runs. */
type PluginServices = Pick<PluginContext, 'log' | 'cache' | 'documents' | 'knowledgeBase'>;

/** What each plugin receives: its services, its folders, and its part of the configuration. */
export class PluginContexts {
  readonly #init: PluginContextsInit;

  constructor(init: PluginContextsInit) {
    this.#init = init;
  }

  /** The services for a plugin. */
  servicesFor({ name }: Pick<PluginManifest, 'name'>): PluginServices {
    const { log, derivations, components } = this.#init;
    return {
      log,
      cache: ownEntries(derivations, name),
      documents: async () => committedDocuments(await components().first('document_store')),
      knowledgeBase: async () => (await components().first('document_store')).knowledgeBase(),
    };
  }

  /** Everything in a context except the configuration. Its folders are created on first use. */
  contextOf(plugin: LoadedPlugin): Omit<PluginContext, 'config'> {
    const { clock, tmp, environment } = this.#init;
    const dataDir = (): string | undefined => this.dataDirOf(plugin.manifest);
    return {
      ...this.servicesFor(plugin.manifest),
      get tmpDir() {
        return tmp.path;
      },
      get dataDir() {
        return dataDir();
      },
      get proxies() {
        return proxiesIn(environment.env);
      },
      clock,
      ...permittedFetch(plugin),
    };
  }

  /** The part of the configuration for a plugin: the settings of the kinds that it contributes, and its own section. */
  settingsOf({ manifest }: LoadedPlugin, access: Access): GivenSettings {
    const { config, folders } = this.#init.resolution;
    const store = { access, cacheDir: folders.cache, git: folders.git };
    const ofKinds = kindsOf(manifest).flatMap((kind) =>
      Object.hasOwn(OF_KIND, kind) ? [[kind, OF_KIND[kind as keyof KindSettings](config, store)]] : [],
    );
    const { section } = manifest;
    return {
      ...Object.fromEntries(ofKinds),
      section: section === undefined ? {} : (valuesOf(section, config) as SectionValues),
    };
  }

  /** The data folder of a plugin; undefined when its manifest does not ask for one. */
  dataDirOf(manifest: PluginManifest): string | undefined {
    return madeFolder(dataFolderOf(manifest, this.#init.resolution.config.storage.dataDir));
  }
}

/** What the settings of sources and stores depend on besides the configuration. */
interface StoreAccess {
  readonly access: Access;
  /** The user's cache folder, for data that can be recreated. */
  readonly cacheDir: string;
  /** The user's files of git. */
  readonly git: GitFiles;
}

const BYTES_PER_MB = 1_048_576;

const OF_KIND: {
  readonly [K in keyof KindSettings]: (config: ResolvedConfig, store: StoreAccess) => KindSettings[K];
} = {
  source: ({ workspace, storage, indexing }, { git }) => ({
    followSymlinks: workspace.followSymlinks,
    linksOutside: workspace.symlinksOutside,
    maxFileBytes: indexing.maxFileMb * BYTES_PER_MB,
    leaveOut: [storage.dataDir],
    git,
  }),
  extractor: (config) => ({
    ocrFingerprint: ocrFingerprint(config),
    captionFingerprint: captionFingerprint(config),
    ocrPixels: config.ocr.maxPixels,
  }),
  embedder: ({ models, storage }) => ({
    endpoint: models.embedding.endpoint,
    model: models.embedding.model,
    version: models.embedding.version,
    dimensions: models.embedding.dimensions,
    batchSize: models.embedding.batchSize,
    timeoutMs: models.embedding.timeoutS * 1000,
    apiKey: keyFor(models.embedding.endpoint, models.llm),
    modelDir: storage.modelDir,
    hub: models.hub,
  }),
  reranker: ({ models, storage }) => ({ model: models.rerank.model, modelDir: storage.modelDir }),
  groundedness: ({ models, storage }) => ({ model: models.nli.model, modelDir: storage.modelDir }),
  llm: ({ models }) => ({
    endpoint: models.llm.endpoint,
    model: models.llm.model,
    contextTokens: models.llm.contextTokens,
    timeoutMs: models.llm.timeoutS * 1000,
    apiKey: models.llm.apiKey,
  }),
  ocr: ({ ocr, storage, indexing, models }) => ({
    ...visionOf(ocr, models.llm),
    languages: ocr.languages,
    modelDir: storage.modelDir,
    workers: indexing.maxParallelExtractors,
  }),
  captioner: ({ caption, models }) => visionOf(caption, models.llm),
  document_store: storeOf,
  lexical_index: storeOf,
  session_repo: storeOf,
  vector_store: storeOf,
  model_catalog: ({ models, storage }) => ({ modelDir: storage.modelDir, hub: models.hub }),
};

function visionOf(
  { endpoint, model, timeoutS }: ResolvedConfig['caption'] | ResolvedConfig['ocr'],
  llm: ResolvedConfig['models']['llm'],
): VisionSettings {
  return { endpoint, model, timeoutMs: timeoutS * 1000, apiKey: keyFor(endpoint, llm) };
}

/** The key of the language model for a server at the same origin, or for no server of its own; no other server receives it. */
function keyFor(endpoint: string, { endpoint: own, apiKey }: ResolvedConfig['models']['llm']): string {
  return endpoint === '' || new URL(endpoint).origin === new URL(own).origin ? apiKey : '';
}

function storeOf({ storage }: ResolvedConfig, { access, cacheDir }: StoreAccess): StoreSettings {
  return {
    file: storage.sqlite,
    readonly: access === 'read',
    lockFile: path.join(path.dirname(storage.sqlite), 'kebab.lock'),
    embeddingCache: path.join(cacheDir, 'embeddings.sqlite'),
    lexicalIndex: storage.lexicalIndex,
  };
}

const OFF = 'none';

/**
 * Identifies the OCR engine and every setting that affects its output; null when OCR is off. Computed from the configuration alone:
 * extractors include it in their fingerprints, so that another engine makes them read pictures again.
 */
export function ocrFingerprint({ ocr }: Pick<ResolvedConfig, 'ocr'>): string | null {
  const { engine, model, languages, maxPixels } = ocr;
  return engine === OFF ? null : [engine, model, languages.join('+'), `${maxPixels}px`].join('/');
}

/** The corresponding fingerprint of the captioner. */
export function captionFingerprint({ caption, ocr }: Pick<ResolvedConfig, 'caption' | 'ocr'>): string | null {
  const { provider, model, maxPixels } = caption;
  return provider === OFF ? null : [provider, model, ocr.languages.join('+'), `${maxPixels}px`].join('/');
}

/** A folder of one App for exchanging files: created on first use, removed with its content at the end. */
export class TemporaryFolder {
  readonly parent: string;
  #path: string | null = null;

  constructor(parent: string) {
    this.parent = parent;
  }

  get path(): string {
    if (this.#path === null) {
      makeFolder(this.parent);
      this.#path = mkdtempSync(path.join(this.parent, 'kebab-'));
    }
    return this.#path;
  }

  /** A folder that cannot be removed is left: the system eventually clears such folders. */
  remove(): void {
    const made = this.#path;
    this.#path = null;
    if (made === null) return;
    try {
      rmSync(made, { recursive: true, force: true, maxRetries: 2 });
    } catch {
      // A file in it may be held open, by a program that a plugin started.
    }
  }
}
