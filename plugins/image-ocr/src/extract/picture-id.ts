/** The id of the picture of a file that has one, and the beginning of those of a file with pages. */
const WHOLE = 'image';
const PAGE = 'page=';

/** The id of a picture; `at` counts from 0. */
export function pictureId(at: number, count: number): string {
  return count === 1 ? WHOLE : `${PAGE}${at + 1}`;
}

/** The position of a picture by its id; null when there is no such picture. */
export function pictureAt(id: string, count: number): number | null {
  const at = id === WHOLE ? 0 : Number(id.startsWith(PAGE) ? id.slice(PAGE.length) : NaN) - 1;
  return Number.isInteger(at) && at >= 0 && at < count && pictureId(at, count) === id ? at : null;
}
