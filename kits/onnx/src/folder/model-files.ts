import { open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ModelWeights } from '../encode/text-model.ts';
import { readTensorEntries } from '../encode/safetensors.ts';
import { fileFault } from './file-fault.ts';
import type { Precision, ModelManifest, Pooling } from '../manifest/builtin-manifests.ts';
import { notPulled, wrongModelConfig } from '../model-failure.ts';

/** Number types of safetensors. */
const PRECISIONS: Readonly<Record<string, Precision>> = { F32: 'fp32', F16: 'fp16', I8: 'q8' };

/** Reads the small files of one model's folder. */
export class ModelFiles {
  readonly #folder: string;
  readonly #model: string;
  readonly #hint: string | undefined;
  readonly #isFetched: boolean;

  /** `isFetched`: whether `kebab models pull` knows the model. */
  constructor(
    folder: string,
    model: string,
    { isPath, isFetched }: { readonly isPath: boolean; readonly isFetched: boolean },
  ) {
    this.#folder = folder;
    this.#model = model;
    this.#isFetched = isFetched;
    this.#hint = isPath
      ? `put the files of the model into ${folder}, or name a known model and fetch it with \`kebab models pull\``
      : undefined;
  }

  /** The absolute path of a file of the folder. */
  at(file: string): string {
    return path.join(this.#folder, file);
  }

  /** Whether the folder exists. */
  async exist(): Promise<boolean> {
    return (await this.size('.')) !== null;
  }

  /** The size in bytes; null for a missing file. */
  async size(file: string): Promise<number | null> {
    try {
      return (await stat(this.at(file))).size;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /**
   * Throws `model_not_pulled` for a file that is missing, empty, not as long as when it was downloaded, cut off, or something else under
   * its name.
   */
  async require(file: string, bytes?: number): Promise<void> {
    const size = await this.size(file);
    if (size === null) throw this.missing(file);
    if (size === 0 || (bytes !== undefined && size !== bytes))
      throw this.damage(file, `${size} bytes${bytes === undefined ? '' : ` of ${bytes}`}`);
    const fault = await fileFault(this.at(file));
    if (fault !== null) throw this.damage(file, fault);
  }

  /** The value of a JSON file; null for a missing file. Throws `model_not_pulled` for a damaged one. */
  async json(file: string): Promise<unknown> {
    let text: string;
    try {
      text = await readFile(this.at(file), 'utf8');
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.damage(file, 'it is no JSON', error);
    }
  }

  /** The members of the object in a JSON file; empty for a missing file. */
  async members(file: string): Promise<Readonly<Record<string, unknown>>> {
    return ((await this.json(file)) ?? {}) as Readonly<Record<string, unknown>>;
  }

  /** The contents of the override file. Throws `config_invalid` for an invalid one. */
  async override(): Promise<ModelOverride> {
    const file = this.at(OVERRIDE_FILE);
    const json = await this.json(OVERRIDE_FILE);
    return json === null ? {} : parseModelOverride(json, file);
  }

  /** The table of token vectors in a file, or null for weights of another kind. */
  async table(file: string): Promise<ModelWeights | null> {
    const handle = await open(this.at(file), 'r');
    try {
      const entry = (await readTensorEntries(handle)).get('embeddings');
      const dimensions = entry?.shape[1];
      if (entry === undefined || dimensions === undefined) return null;
      return { kind: 'static', file: this.at(file), precision: PRECISIONS[entry.dtype] ?? 'fp32', dimensions };
    } catch (error) {
      throw this.damage(file, (await fileFault(this.at(file))) ?? (error as Error).message, error);
    } finally {
      await handle.close();
    }
  }

  /** Identifies these weights, tokenizer and configuration among all others. */
  async hash(weights: string): Promise<string> {
    const files = [weights, ...['tokenizer.json', 'tokenizer_config.json', 'config.json'].map((file) => this.at(file))];
    const hashes = await Promise.all(
      files.map((file) =>
        contentSample(file).catch((error: unknown) => (isMissing(error) ? '' : Promise.reject(error))),
      ),
    );
    return hashes.map((hash) => hash.slice(0, 16)).join('.');
  }

  /** The error for a missing file. */
  missing(file: string): Error {
    return this.failure(`${this.at(file)} is missing`);
  }

  /** The error for a file that is not what it should be. Its hint names the file, too: notices show nothing else. */
  damage(file: string, fault: string, cause?: unknown): Error {
    const place = this.at(file);
    const remedy = this.#isFetched
      ? `fetch the model again with \`kebab models pull ${this.#model}\``
      : 'copy the file again from where the model comes from';
    return notPulled(this.#model, `${place} is damaged: ${fault}`, { cause, hint: `${place} is damaged: ${remedy}` });
  }

  /** The error for an unusable model, with the reason. */
  failure(reason: string, cause?: unknown): Error {
    const hint = this.#hint === undefined ? {} : { hint: this.#hint };
    return notPulled(this.#model, reason, { cause, ...hint });
  }
}

function isMissing(error: unknown): boolean {
  return /^(ENOENT|ENOTDIR)$/.test(String((error as { readonly code?: unknown }).code));
}

const SAMPLE_BYTES = 4096;
const SAMPLES = 64;

/**
 * A hash of the size of a file and of 64 samples of 4 KiB spread evenly over it, the ends included: it distinguishes a model of 100 MB from
 * any other in a few milliseconds. Files up to 256 KiB are hashed whole. It does not depend on the file's location.
 */
export async function contentSample(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const { createHash } = await import('node:crypto'); // loaded late: a search without a local model never hashes
    const hash = createHash('sha256').update(`${size}\n`);
    const isSmall = size <= SAMPLE_BYTES * SAMPLES;
    const buffer = Buffer.alloc(isSmall ? size : SAMPLE_BYTES);
    const step = isSmall ? 0 : (size - SAMPLE_BYTES) / (SAMPLES - 1);
    for (let sample = 0; sample < (isSmall ? 1 : SAMPLES); sample++) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, Math.floor(sample * step));
      hash.update(buffer.subarray(0, bytesRead));
    }
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}

/** The file in a model's folder with properties that cannot be inferred from the other files. */
const OVERRIDE_FILE = 'kebab-model.json';

/** The contents of {@link OVERRIDE_FILE}; omitted keys are inferred. */
interface ModelOverride extends Partial<
  Pick<ModelManifest, 'pooling' | 'prefixes' | 'dimensions' | 'maxTokens' | 'languages' | 'relevance' | 'precision'>
> {
  /** The file of the weights, relative to the folder. */
  readonly weights?: string;
}

const POOLINGS: readonly Pooling[] = ['mean', 'cls', 'none', 'auto'];
const WEIGHT_PRECISIONS: readonly Precision[] = ['fp32', 'fp16', 'q8', 'q4'];

/** Parsers by key; undefined for an invalid value. */
const KEYS: Readonly<Record<string, (value: unknown) => Partial<ModelOverride> | undefined>> = {
  pooling: (value) => oneOf(POOLINGS, value, (pooling) => ({ pooling })),
  precision: (value) => oneOf(WEIGHT_PRECISIONS, value, (precision) => ({ precision })),
  dimensions: (value) => (isCount(value) ? { dimensions: value } : undefined),
  max_tokens: (value) => (isCount(value) ? { maxTokens: value } : undefined),
  languages: (value) => (value === null || isTexts(value) ? { languages: value } : undefined),
  prefixes: (value) => {
    const { query = '', document = '' } = membersOf(value);
    return isTexts([query, document]) ? { prefixes: { query, document } as ModelManifest['prefixes'] } : undefined;
  },
  relevance: (value) => {
    const { floor, ceil } = membersOf(value);
    const fits = typeof floor === 'number' && typeof ceil === 'number' && floor < ceil;
    return fits ? { relevance: { floor, ceil } } : undefined;
  },
  weights: (value) =>
    typeof value === 'string' && /^[\w.-]+(?:\/[\w.-]+)*$/.test(value) && !value.includes('..')
      ? { weights: value }
      : undefined,
};

/** Parses the JSON of {@link OVERRIDE_FILE}. Throws `config_invalid` naming the key for an invalid value. */
export function parseModelOverride(json: unknown, file: string): ModelOverride {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw wrongModelConfig(`${file} holds no JSON object`, { key: null, path: file });
  return Object.entries(json).reduce<ModelOverride>((override, [key, value]) => {
    const read = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (read === undefined)
      throw wrongModelConfig(`${file}: unknown key "${key}"; it may have ${Object.keys(KEYS).join(', ')}`, {
        key,
        path: file,
      });
    const part = read(value);
    if (part === undefined)
      throw wrongModelConfig(`${file}: "${key}" cannot be ${JSON.stringify(value)}`, { key, path: file });
    return { ...override, ...part };
  }, {});
}

function oneOf<T extends string>(
  allowed: readonly T[],
  value: unknown,
  make: (value: T) => Partial<ModelOverride>,
): Partial<ModelOverride> | undefined {
  const choice = allowed.find((each) => each === value);
  return choice === undefined ? undefined : make(choice);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
