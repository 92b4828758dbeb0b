const NUMBERED = /^(\d{1,3}(?:\.\d{1,3})*)[.)]?\s+(\S.*)$/s;

/**
 * How a section is shown: the last heading of its path, written `§<number> <rest>` when it begins with a section number
 * (`14. Chunking policy` and `14 Chunking policy` are both `§14 Chunking policy`); null without headings.
 */
export function sectionLabel(headingPath: readonly string[]): string | null {
  const heading = headingPath.at(-1);
  if (heading === undefined) return null;
  const [, number, rest] = NUMBERED.exec(heading) ?? [];
  return number === undefined || rest === undefined ? heading : `§${number} ${rest}`;
}
