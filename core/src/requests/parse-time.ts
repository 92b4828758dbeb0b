import { invalidInput } from '../errors/invalid-input.ts';

const TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Reads an RFC 3339 time with offset. Throws `invalid_input` for anything else; for a bare date it suggests midnight UTC. */
export function parseTime(field: string, value: unknown): Date {
  const text = typeof value === 'string' ? value.trim() : '';
  const day = TIME.exec(text)?.[1];
  const time = new Date(text);
  if (day !== undefined && isDay(day) && !Number.isNaN(time.getTime())) return time;
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  throw invalidInput(`${field} is a time with offset as in 2026-03-01T00:00:00Z, not ${JSON.stringify(shown)}`, {
    field,
    value: shown,
    suggestion: /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text) ? `${text}T00:00:00Z` : undefined,
  });
}

/** Whether a date exists: JavaScript reads 30 February as a day in March. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
