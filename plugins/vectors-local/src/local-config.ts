import type { SchemaIssue, StandardSchema } from '@kebab/core';

/** Where the vectors lie and how they are opened. */
export interface LocalVectorsConfig {
  /** An absolute path: the SQLite file of the knowledge base. */
  readonly file: string;
  readonly readonly: boolean;
}

/** Checks the configuration by hand: a search must not load a schema library. */
export const localConfigSchema: StandardSchema<LocalVectorsConfig> = {
  '~standard': { version: 1, vendor: 'kebab', validate },
};

const MEMBERS = { file: 'string', readonly: 'boolean' } as const;

function validate(
  value: unknown,
): { readonly value: LocalVectorsConfig } | { readonly issues: readonly SchemaIssue[] } {
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
  return issues.length > 0 ? { issues } : { value: value as LocalVectorsConfig };
}
