import type { SchemaIssue, StandardSchema } from '@kebab/core';

/** Which model embeds, and where it lies. */
export interface TransformersConfig {
  /** The name of a known model, or a folder: absolute, or starting with `./` or `~/`. */
  readonly model: string;
  /** What the user calls this state of the model; another one embeds everything again. */
  readonly version: string;
  /** What the vectors must have; null for the model's own. */
  readonly dimensions: number | null;
  /** The most texts in one run of the model. */
  readonly batchSize: number;
  /** An absolute path: the folder with a folder for each model. */
  readonly modelDir: string;
  /** Threads of one run; by default one less than the machine has cores, at least one, at most eight. */
  readonly threads?: number | undefined;
  /** Where models are fetched from; the public hub by default. */
  readonly hub?: string | undefined;
}

/** Checks the configuration by hand: a search must not load a schema library. */
export const transformersConfigSchema: StandardSchema<TransformersConfig> = {
  '~standard': { version: 1, vendor: 'kebab', validate },
};

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) > 0;

const MEMBERS: Readonly<
  Record<keyof TransformersConfig, { readonly what: string; readonly fits: (value: unknown) => boolean }>
> = {
  model: { what: 'a text', fits: isText },
  version: { what: 'a text', fits: isText },
  dimensions: { what: 'a whole number above 0, or null', fits: (value) => value === null || isCount(value) },
  batchSize: { what: 'a whole number above 0', fits: isCount },
  modelDir: { what: 'a text', fits: isText },
  threads: { what: 'a whole number above 0', fits: (value) => value === undefined || isCount(value) },
  hub: { what: 'a text', fits: (value) => value === undefined || isText(value) },
};

function validate(
  value: unknown,
): { readonly value: TransformersConfig } | { readonly issues: readonly SchemaIssue[] } {
  if (typeof value !== 'object' || value === null) return { issues: [{ message: 'expected an object' }] };
  const given = value as Readonly<Record<string, unknown>>;
  const issues = [
    ...Object.entries(MEMBERS)
      .filter(([key, { fits }]) => !fits(given[key]))
      .map(([key, { what }]): SchemaIssue => ({ message: `expected ${what}`, path: [key] })),
    ...Object.keys(given)
      .filter((key) => !Object.hasOwn(MEMBERS, key))
      .map((key): SchemaIssue => ({ message: 'unknown key', path: [key] })),
  ];
  return issues.length > 0 ? { issues } : { value: value as TransformersConfig };
}
