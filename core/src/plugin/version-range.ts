/**
 * Whether a version such as `0.1.0` lies in an npm range: `^1`, `>=0.1 <2`, `1.x || 2.0.0 - 2.4`, `*`. Null when the text is not such a
 * range. Pre-release tags are ignored.
 */
export function isInRange(version: string, range: string): boolean | null {
  const alternatives = range.split('||').map(intervalsOf);
  if (alternatives.includes(null)) return null;
  const at = placeOf(version.split('.').map(Number));
  return alternatives.some((intervals) => intervals?.every(({ from, below }) => at >= from && at < below));
}

/** Half-open, in positions. */
interface Interval {
  readonly from: number;
  readonly below: number;
}

/** The intervals that a version must lie in, all of them; null for an invalid range. */
function intervalsOf(text: string): readonly Interval[] | null {
  const terms = text
    .replace(/(\S+)\s+-\s+(\S+)/g, '>=$1 <=$2')
    .replace(/([<>=^~])\s+/g, '$1')
    .split(/\s+/)
    .filter((term) => term !== '');
  const intervals = terms.map(intervalOf).filter((interval) => interval !== null);
  return intervals.length === terms.length ? intervals : null;
}

const NUMBER = String.raw`(\d{1,5}|[xX*])`;
const TERM = new RegExp(String.raw`^(\^|~|>=|<=|>|<|=)?v?${NUMBER}(?:\.${NUMBER})?(?:\.${NUMBER})?(?:[-+][\w.+-]+)?$`);

function intervalOf(term: string): Interval | null {
  const match = TERM.exec(term);
  if (match === null) return null;
  const [, operator = '=', ...written] = match;
  const numbers = written.filter((number) => number !== undefined).map(Number);
  const parts = numbers.slice(0, numbers.findIndex(Number.isNaN) >>> 0);
  const from = placeOf(parts);
  switch (operator) {
    case '^':
      return { from, below: placeAfter(parts.slice(0, (parts.findIndex((part) => part > 0) >>> 0) + 1)) };
    case '~':
      return { from, below: placeAfter(parts.slice(0, 2)) };
    case '>=':
      return { from, below: Infinity };
    case '>':
      return { from: placeAfter(parts), below: Infinity };
    case '<':
      return { from: 0, below: from };
    case '<=':
      return { from: 0, below: placeAfter(parts) };
    default:
      return { from, below: placeAfter(parts) };
  }
}

/** A number that orders versions; omitted parts count as 0. */
function placeOf([major = 0, minor = 0, patch = 0]: readonly number[]): number {
  return (major * 1e5 + minor) * 1e5 + patch;
}

/** The first position after all versions that begin with these parts. */
function placeAfter(parts: readonly number[]): number {
  return parts.length === 0 ? Infinity : placeOf(parts.map((part, at) => (at === parts.length - 1 ? part + 1 : part)));
}
