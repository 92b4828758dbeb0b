/** The one metric that is a count. */
const COUNT = 'failed_queries';

/** A metric for people: four decimals, a count as it is, `–` where there is none. */
export function metricText(name: string, value: number | null): string {
  if (value === null) return '–';
  return name === COUNT ? String(value) : value.toFixed(4);
}

/** The same with its sign. */
export function signedMetric(name: string, value: number): string {
  return value > 0 ? `+${metricText(name, value)}` : metricText(name, value);
}
