const PLACES = 10_000;

/** A number with four decimals, as metrics are told. */
export function roundMetric(value: number): number {
  const rounded = Math.round(value * PLACES) / PLACES;
  return rounded === 0 ? 0 : rounded; // no minus zero
}
