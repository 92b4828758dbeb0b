import type { ModelManifest, Pooling, Precision } from '../manifest/model-manifest.ts';
import { wrongModelConfig } from '../model-failure.ts';

/** The file in a model's folder that tells what the folder does not show by itself. */
export const OVERRIDE_FILE = 'kebab-model.json';

/** What {@link OVERRIDE_FILE} may tell; a key that is left out is found out otherwise. */
export interface ModelOverride extends Partial<
  Pick<ModelManifest, 'pooling' | 'prefixes' | 'dimensions' | 'maxTokens' | 'languages' | 'relevance' | 'precision'>
> {
  /** The file of the weights, relative to the folder. */
  readonly weights?: string;
}

const POOLINGS: readonly Pooling[] = ['mean', 'cls', 'none', 'auto'];
const PRECISIONS: readonly Precision[] = ['fp32', 'fp16', 'q8', 'q4'];

/** How each key is read; undefined for a value that cannot be used. */
const KEYS: Readonly<Record<string, (value: unknown) => Partial<ModelOverride> | undefined>> = {
  pooling: (value) => oneOf(POOLINGS, value, (pooling) => ({ pooling })),
  precision: (value) => oneOf(PRECISIONS, value, (precision) => ({ precision })),
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

/** Reads the JSON of {@link OVERRIDE_FILE}. Throws `config_invalid` that names the key for what it cannot use. */
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
  const found = allowed.find((each) => each === value);
  return found === undefined ? undefined : make(found);
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
