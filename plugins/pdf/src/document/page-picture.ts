/** The name of a page's picture: `page=3`. */
export function pictureOf(page: number): string {
  return `page=${page}`;
}

/** The 1-based page of a picture's name; undefined for any other name. */
export function pageOfPicture(picture: string): number | undefined {
  const digits = /^page=([1-9]\d{0,8})$/.exec(picture)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
