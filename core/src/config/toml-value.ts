/**
 * A value as TOML writes it on one line; what JSON makes of a text is TOML as well. `asFloat` writes a whole number with a decimal
 * point.
 */
export function tomlValue(value: unknown, asFloat = false): string {
  if (Array.isArray(value)) return `[${value.map((item) => tomlValue(item)).join(', ')}]`;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
    return members.length === 0
      ? '{}'
      : `{ ${members.map(([name, member]) => `${tomlKey(name)} = ${tomlValue(member)}`).join(', ')} }`;
  }
  if (typeof value === 'number' && asFloat && Number.isInteger(value)) return `${String(value)}.0`;
  return typeof value === 'string' ? JSON.stringify(value).replaceAll('\u007F', '\\u007F') : String(value);
}

/** The name of a key as TOML writes it, quoted where it must be. */
export function tomlKey(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name);
}
