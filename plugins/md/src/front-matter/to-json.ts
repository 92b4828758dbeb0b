import type { JsonValue } from '@kebab/core';

/** A value of YAML or TOML as JSON: dates as they are written, numbers that JSON cannot say as strings. */
export function toJson(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return null;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member)]));
}
