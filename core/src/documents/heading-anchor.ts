/** The anchor of a heading as GitHub makes it, without the number of a repetition. */
export function headingAnchor(heading: string): string {
  return heading
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/[\s_-]+/g, '-');
}
