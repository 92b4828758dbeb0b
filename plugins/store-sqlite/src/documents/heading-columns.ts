/** Stands for a label that is null although there are headings. */
const NO_LABEL = '\0';

/** Writes a heading path as JSON; when it begins with the document's title, 0 stands there: most paths do. */
export function encodeHeadingPath(path: readonly string[], title: string): string {
  if (path[0] !== title) return JSON.stringify(path);
  return path.length === 1 ? '[0]' : `[0,${JSON.stringify(path.slice(1)).slice(1)}`;
}

/** Reads what {@link encodeHeadingPath} wrote. */
export function decodeHeadingPath(json: string, title: string): readonly string[] {
  const [first, ...rest] = JSON.parse(json) as readonly [string | 0, ...(readonly string[])] | readonly [];
  return first === undefined ? [] : [first === 0 ? title : first, ...rest];
}

/** What is stored for the label of a section: null for the last heading, which most labels are. */
export function encodeSectionLabel(label: string | null, path: readonly string[]): string | null {
  if (label === (path.at(-1) ?? null)) return null;
  return label ?? NO_LABEL;
}

/** Reads what {@link encodeSectionLabel} gave. */
export function decodeSectionLabel(stored: string | null, path: readonly string[]): string | null {
  if (stored === null) return path.at(-1) ?? null;
  return stored === NO_LABEL ? null : stored;
}
