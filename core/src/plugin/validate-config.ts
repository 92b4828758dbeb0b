import type { Plugin } from './define-plugin.ts';
import type { SchemaIssue } from './standard-schema.ts';

/** Validates a plugin's configuration by its own schema and gives the value it made of it. Throws naming each bad key. */
export async function validateConfig(plugin: Plugin, raw: unknown): Promise<unknown> {
  if (plugin.config === undefined) return raw;
  const result = await plugin.config['~standard'].validate(raw);
  if (result.issues === undefined) return result.value;
  throw new Error(
    `bad configuration (${result.issues.map((issue) => `${where(issue)}: ${issue.message}`).join('; ')})`,
  );
}

function where({ path = [] }: SchemaIssue): string {
  return path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.') || 'value';
}
