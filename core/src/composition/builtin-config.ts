import path from 'node:path';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import { EXTERNAL_FOLDER } from '../documents/external-folder.ts';
import { captionFingerprint, ocrFingerprint } from '../ingest/pictures/reader-fingerprints.ts';
import type { WalkOptions } from '../ingest/scan/walk-tree.ts';
import type { Access } from '../plugin/components.ts';
import { CORE_PLUGIN } from './core-plugin.ts';

/**
 * What a built-in plugin is configured with: its part of kebab's own configuration. Plugins that read no settings get an
 * empty object.
 */
export function builtinConfig(plugin: string, config: ResolvedConfig, access: Access): unknown {
  switch (plugin) {
    case CORE_PLUGIN:
      return {
        followSymlinks: config.workspace.followSymlinks,
        leaveOut: [config.storage.dataDir, path.join(config.workspace.root, EXTERNAL_FOLDER)],
      } satisfies WalkOptions;
    case '@kebab/plugin-store-sqlite':
      return {
        file: config.storage.sqlite,
        readonly: access === 'read',
        lockFile: path.join(path.dirname(config.storage.sqlite), 'kebab.lock'),
      };
    case '@kebab/plugin-embed-transformers': {
      const { model, version, dimensions, batchSize } = config.models.embedding;
      return { model, version, dimensions, batchSize, modelDir: config.storage.modelDir, hub: config.models.hub };
    }
    case '@kebab/plugin-rerank-transformers':
      return { model: config.models.rerank.model, modelDir: config.storage.modelDir };
    case '@kebab/plugin-nli-transformers':
      return { model: config.models.nli.model, modelDir: config.storage.modelDir };
    case '@kebab/plugin-embed-ollama': {
      const { endpoint, model, version, dimensions, batchSize, timeoutS } = config.models.embedding;
      return { endpoint, model, version, dimensions, batchSize, timeoutMs: timeoutS * 1000 };
    }
    case '@kebab/plugin-llm-ollama': {
      const { endpoint, model, contextTokens, timeoutS } = config.models.llm;
      const vision = { ocr: endpointOf(config.ocr), caption: endpointOf(config.caption) };
      return { endpoint, model, contextTokens, timeoutMs: timeoutS * 1000, ...vision };
    }
    case '@kebab/plugin-llm-openai': {
      const { endpoint, model, contextTokens, timeoutS, apiKey } = config.models.llm;
      return { endpoint, model, contextTokens, timeoutMs: timeoutS * 1000, apiKey };
    }
    case '@kebab/plugin-pdf':
      return pdfConfig(config);
    case '@kebab/plugin-image-ocr':
      return imageConfig(config);
    case '@kebab/plugin-vectors-local':
      return { file: config.storage.sqlite, readonly: access === 'read' };
    case '@kebab/plugin-vectors-qdrant':
      return qdrantConfig(config.storage.qdrant);
    default:
      return {};
  }
}

function pdfConfig({ pdf, ocr }: ResolvedConfig): unknown {
  const { minPageChars, minValidRatio, password } = pdf;
  const reading = { ocr: pdf.ocr, ocrFingerprint: ocrFingerprint({ ocr }), ocrPixels: ocr.maxPixels };
  return { ...reading, minPageChars, minValidRatio, password };
}

function imageConfig(config: ResolvedConfig): unknown {
  const { languages, maxPixels, timeoutS } = config.ocr;
  const reading = { ocr: ocrFingerprint(config), caption: captionFingerprint(config), ocrPixels: maxPixels };
  return {
    ...reading,
    ...{ languages, timeoutMs: timeoutS * 1000, workers: config.indexing.maxParallelExtractors },
    dataDir: path.join(config.storage.modelDir, 'tesseract'),
  };
}

function endpointOf({ endpoint, model, timeoutS }: ResolvedConfig['caption'] | ResolvedConfig['ocr']): unknown {
  return { endpoint, model, timeoutMs: timeoutS * 1000 };
}

function qdrantConfig({
  url,
  apiKey,
  collectionPrefix,
  onDisk,
  ...rest
}: ResolvedConfig['storage']['qdrant']): unknown {
  return {
    ...{ url, apiKey, collectionPrefix, onDisk, quantization: rest.quantization, timeoutMs: rest.timeoutS * 1000 },
    ...(rest.shardNumber === null ? {} : { shardNumber: rest.shardNumber }),
    ...(rest.replicationFactor === null ? {} : { replicationFactor: rest.replicationFactor }),
  };
}
