/** The names in `id2label` of a `config.json`, in the order of the answers; null for what does not name each one. */
export function labelNames(id2label: unknown): readonly string[] | null {
  if (typeof id2label !== 'object' || id2label === null) return null;
  const members = id2label as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).map((_, place) => members[String(place)]);
  return names.length > 0 && names.every((name) => typeof name === 'string') ? names : null;
}
