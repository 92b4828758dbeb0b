import type { SchemaIssue, StandardSchema } from '@kebab/core';

/** Which cross-encoder judges, and where it lies. */
export interface CrossEncoderConfig {
  /** The name of a known model, or a folder: absolute, or starting with `./` or `~/`. */
  readonly model: string;
  /** An absolute path: the folder with a folder for each model. */
  readonly modelDir: string;
  /** The most pairs in one run of the model; 4 by default. */
  readonly batchSize?: number | undefined;
  /** Threads of one run; by default one less than the machine has cores, at least one, at most eight. */
  readonly threads?: number | undefined;
}

/** Checks the configuration by hand: a search must not load a schema library. */
export const crossEncoderConfigSchema: StandardSchema<CrossEncoderConfig> = {
  '~standard': { version: 1, vendor: 'kebab', validate },
};

const isCountOrAbsent = (value: unknown): boolean =>
  value === undefined || (Number.isInteger(value) && (value as number) > 0);

const MEMBERS: Readonly<
  Record<keyof CrossEncoderConfig, { readonly what: string; readonly fits: (value: unknown) => boolean }>
> = {
  model: { what: 'a text', fits: (value) => typeof value === 'string' }, // empty until somebody names a model
  modelDir: { what: 'a text that is not empty', fits: (value) => typeof value === 'string' && value.trim() !== '' },
  batchSize: { what: 'a whole number above 0', fits: isCountOrAbsent },
  threads: { what: 'a whole number above 0', fits: isCountOrAbsent },
};

function validate(
  value: unknown,
): { readonly value: CrossEncoderConfig } | { readonly issues: readonly SchemaIssue[] } {
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
  return issues.length > 0 ? { issues } : { value: value as CrossEncoderConfig };
}
