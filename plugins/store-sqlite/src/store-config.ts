import type { SchemaIssue, StandardSchema } from '@kebab/core';

/** Where the database lies and how it is opened. */
export interface StoreConfig {
  /** An absolute path, or `:memory:`. */
  readonly file: string;
  readonly readonly: boolean;
  /** The file that the one writer holds. */
  readonly lockFile: string;
}

/** Checks the configuration by hand: a search must not load a schema library. */
export const storeConfigSchema: StandardSchema<StoreConfig> = {
  '~standard': { version: 1, vendor: 'kebab', validate },
};

const MEMBERS = { file: 'string', readonly: 'boolean', lockFile: 'string' } as const;

function validate(value: unknown): { readonly value: StoreConfig } | { readonly issues: readonly SchemaIssue[] } {
  if (typeof value !== 'object' || value === null) return { issues: [{ message: 'expected an object' }] };
  const given = value as Readonly<Record<string, unknown>>;
  const issues = [
    ...Object.entries(MEMBERS)
      .filter(([key, type]) => typeof given[key] !== type || given[key] === '')
      .map(([key, type]): SchemaIssue => ({ message: `expected a ${type}`, path: [key] })),
    ...Object.keys(given)
      .filter((key) => !(key in MEMBERS))
      .map((key): SchemaIssue => ({ message: 'unknown key', path: [key] })),
  ];
  return issues.length > 0 ? { issues } : { value: value as StoreConfig };
}
