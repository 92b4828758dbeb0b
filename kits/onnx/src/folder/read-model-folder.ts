import path from 'node:path';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { nearestName, invalidInput } from '@kebab/core';
import {
  BUILTIN_MANIFESTS,
  findManifest,
  manifestOfFolder,
  type ModelManifest,
  type ModelRole,
  type Precision,
} from '../manifest/builtin-manifests.ts';
import type { ModelWeights } from '../encode/text-model.ts';
import { wrongModelConfig } from '../model-failure.ts';
import { ModelFiles } from './model-files.ts';

/** A model in a folder, with everything that is known before it is loaded. */
export interface ModelFolder {
  /** Absolute. */
  readonly folder: string;
  readonly manifest: ModelManifest;
  readonly weights: ModelWeights;
  /** Whether the manifest's dimensions are only inferred from `config.json`. */
  readonly dimensionsGuessed: boolean;
  /** The commit from which it was downloaded; null for a folder that was not downloaded. */
  readonly revision: string | null;
  /** The labels of its outputs in order, from `config.json`; null if there are none. */
  readonly labels: readonly string[] | null;
  /** Identifies its files, regardless of their location. */
  readonly contentHash: string;
}

/** Where to look for models. */
export interface ModelPlace {
  readonly modelDir: string;
  /** The required role of the model; `embedding` by default. */
  readonly role?: ModelRole;
}

const ONNX_FILES = ['onnx/model_quantized.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'model.onnx'];
const STATIC_FILE = 'model.safetensors';

/** The assumptions about an unknown model. */
const UNKNOWN: ModelManifest = {
  id: '',
  role: 'embedding',
  repository: '',
  files: [],
  precision: 'fp32',
  pooling: 'auto',
  prefixes: { query: '', document: '' },
  dimensions: null,
  maxTokens: 512,
  languages: null,
  relevance: { floor: 0.1, ceil: 0.55 },
};
/** A mean over tokens has no window. */
const UNLIMITED_TOKENS = 1_000_000;

/**
 * Locates a model by name or path and reads its small files; the weights are not loaded. Errors: `model_not_pulled` if a file is missing,
 * empty or shorter than when downloaded, `config_invalid` for an invalid `kebab-model.json`, an unknown name and the name of a model for
 * another purpose, `invalid_input` for an invalid name.
 */
export async function readModelFolder(
  model: string,
  { modelDir, role = 'embedding' }: ModelPlace,
): Promise<ModelFolder> {
  const folder = modelPath(model, modelDir);
  const isPath = isModelPath(model);
  const name = isPath ? path.basename(folder) : model;
  const named = isPath ? undefined : findManifest(name);
  const files = new ModelFiles(folder, name, { isPath, isFetched: named !== undefined });
  const fitting = BUILTIN_MANIFESTS.filter((manifest) => manifest.role === role);
  if (!isPath) {
    if (named !== undefined && named.role !== role) throw wrongRole(named, { role, fitting });
    if (named === undefined && !(await files.exist())) throw unknownModel(model, folder, { role, fitting });
  }
  const ofFolder = manifestOfFolder(name);
  const known = ofFolder?.role === role ? ofFolder : undefined;
  await files.require('tokenizer.json');
  const override = await files.override();
  const record = parsePullRecord(await files.json(PULL_RECORD));
  for (const { path: file, bytes } of record?.files ?? []) await files.require(file, bytes);
  const weights = await findWeights(files, override.weights);
  const inferred = await infer(files, weights);
  const manifest: ModelManifest = {
    ...UNKNOWN,
    ...inferred,
    ...known,
    role,
    precision: weights.precision,
    ...override,
    id: name,
  };
  const sure = override.dimensions ?? (weights.kind === 'static' ? weights.dimensions : known?.dimensions) ?? null;
  return {
    folder,
    manifest: { ...manifest, dimensions: role === 'embedding' ? (sure ?? inferred.dimensions ?? null) : null },
    weights,
    dimensionsGuessed: sure === null,
    revision: record?.revision ?? null,
    labels: labelNames((await files.members('config.json'))['id2label']),
    contentHash: await files.hash(weights.file),
  };
}

async function findWeights(files: ModelFiles, configuredFile: string | undefined): Promise<ModelWeights> {
  if (configuredFile !== undefined) {
    await files.require(configuredFile);
    const table = configuredFile.endsWith('.safetensors') ? await files.table(configuredFile) : null;
    return table ?? { kind: 'onnx', file: files.at(configuredFile), precision: precisionOf(configuredFile) };
  }
  if ((await files.size(STATIC_FILE)) !== null) {
    const table = await files.table(STATIC_FILE);
    if (table !== null) return table;
  }
  for (const file of ONNX_FILES) {
    if ((await files.size(file)) === null) continue;
    await files.require(file);
    return { kind: 'onnx', file: files.at(file), precision: precisionOf(file) };
  }
  throw files.missing(ONNX_FILES[0] as string);
}

type Inferred = Pick<ModelManifest, 'dimensions' | 'maxTokens' | 'pooling'>;

/** Infers properties from the files of transformers and sentence-transformers. */
async function infer(files: ModelFiles, weights: ModelWeights): Promise<Inferred> {
  if (weights.kind === 'static')
    return { dimensions: weights.dimensions, maxTokens: UNLIMITED_TOKENS, pooling: 'mean' };
  const [config, tokenizer, pooling] = await Promise.all([
    files.members('config.json'),
    files.members('tokenizer_config.json'),
    files.members('1_Pooling/config.json'),
  ]);
  const positions = numberOf(config['max_position_embeddings']) ?? UNKNOWN.maxTokens;
  const usable = /roberta/.test(String(config['model_type'])) ? positions - 2 : positions; // two positions are unused
  return {
    dimensions: numberOf(config['hidden_size']) ?? numberOf(config['d_model']) ?? numberOf(config['dim']) ?? null,
    maxTokens: Math.min(usable, numberOf(tokenizer['model_max_length']) ?? usable),
    pooling: pooling['pooling_mode_cls_token'] === true ? 'cls' : 'auto',
  };
}

function precisionOf(file: string): Precision {
  const name = path.basename(file);
  if (/quantized|int8|uint8|q8/.test(name)) return 'q8';
  if (/q4|bnb4/.test(name)) return 'q4';
  return /fp16/.test(name) ? 'fp16' : 'fp32';
}

interface Wanted {
  readonly role: ModelRole;
  /** The known models with that role. */
  readonly fitting: readonly ModelManifest[];
}

function unknownModel(model: string, folder: string, { role, fitting }: Wanted): Error {
  const ids = fitting.map(({ id }) => id);
  return wrongModelConfig(
    `"${model}" is no model that kebab knows (${ids.join(', ')}), and there is no folder ${folder}`,
    { key: `models.${role}.model`, suggestion: nearestName(model, ids) },
  );
}

function wrongRole({ id, role: its }: ModelManifest, { role, fitting }: Wanted): Error {
  return wrongModelConfig(`${id} is a model for ${its}, not for ${role}`, {
    key: `models.${role}.model`,
    suggestion: fitting[0]?.id,
  });
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && value < 1e9 ? value : null;
}

/** The labels in `id2label` of a `config.json`, in the order of the outputs; null if any is missing. */
export function labelNames(id2label: unknown): readonly string[] | null {
  if (typeof id2label !== 'object' || id2label === null) return null;
  const members = id2label as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).map((_, place) => members[String(place)]);
  return names.length > 0 && names.every((name) => typeof name === 'string') ? names : null;
}

/** A model known by name, and whether it is in the model folder. */
export interface ListedModel {
  readonly id: string;
  readonly role: ModelRole;
  /** Whether all files exist. */
  readonly present: boolean;
  /** The size on disk; null for a model that is not present. */
  readonly bytes: number | null;
}

/** The models known by name, with their presence in `modelDir`. Nothing is loaded. */
export function listModels(modelDir: string): Promise<readonly ListedModel[]> {
  return Promise.all(
    BUILTIN_MANIFESTS.map(async ({ id, role, files }) => {
      const sizes = await Promise.all(files.map((file) => bytesOf(path.join(namedModelPath(id, modelDir), file))));
      const present = sizes.every((size) => size !== null && size > 0);
      return { id, role, present, bytes: present ? sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) : null };
    }),
  );
}

async function bytesOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch {
    return null; // a model that cannot be read cannot be used
  }
}

const ID = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)?$/;

/** Whether a configured model is a folder rather than a name: it starts with `./`, `../`, `~/` or is absolute. */
export function isModelPath(model: string): boolean {
  return path.isAbsolute(model) || /^(?:\.{1,2}|~)(?:[/\\]|$)/.test(model);
}

/** The absolute folder of a model: the path itself (relative ones from the working directory), or as {@link namedModelPath}. */
export function modelPath(model: string, modelDir: string): string {
  if (!isModelPath(model)) return namedModelPath(model, modelDir);
  return path.resolve(model.replace(/^~(?=[/\\]|$)/, () => homedir()));
}

/** The folder of a name in `modelDir`. Throws `invalid_input` unless the name is a plain `name` or `owner/name`. */
export function namedModelPath(name: string, modelDir: string): string {
  if (!ID.test(name) || name.includes('..'))
    throw invalidInput(`"${name}" is not a model name: letters, digits, - _ . and one / between owner and name`, {
      field: 'model',
      value: name,
      hint: 'a folder is given as an absolute path, or one that starts with ./ or ~/',
    });
  return path.join(modelDir, ...name.split('/'));
}

/** The record file of a completed download. */
export const PULL_RECORD = 'kebab-pull.json';

/** The record of a download: source, files and checksums. */
export interface PullRecord {
  readonly repository: string;
  /** The commit of the repository if the hub sent it, otherwise the requested revision. */
  readonly revision: string;
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

/** Parses a record; null for invalid JSON. */
function parsePullRecord(json: unknown): PullRecord | null {
  const record = json as Partial<PullRecord> | null;
  const isRecord =
    typeof record === 'object' &&
    record !== null &&
    typeof record.revision === 'string' &&
    Array.isArray(record.files) &&
    record.files.every(({ path: file, bytes }) => typeof file === 'string' && typeof bytes === 'number');
  return isRecord ? (record as PullRecord) : null;
}
