/** A number without the digits that mean nothing. */
export function sixDigits(value: number): number {
  return Number(value.toPrecision(6));
}
