import { invalidInput, nearestName } from '@kebab/core/app';
import type { FlagSpec } from './command-spec.ts';

/** The values given for a flag, taken apart at commas where it allows them. Throws `invalid_input` for what it does not take. */
export function checkFlagValues(spec: FlagSpec, given: readonly string[]): readonly string[] {
  const flag = `--${spec.name}`;
  if (given.length > 1 && spec.repeats !== true && spec.kind !== 'boolean')
    throw invalidInput(`${flag} was given ${given.length} times; it takes one value`, { field: flag });
  const values = spec.commas === true ? given.flatMap(splitAtCommas) : given;
  if (values.length === 0) throw invalidInput(`${flag} was given without a value`, { field: flag });
  for (const value of values) checkValue(spec, value);
  return values;
}

function splitAtCommas(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function checkValue({ name, kind, choices }: FlagSpec, value: string): void {
  const field = `--${name}`;
  const got = JSON.stringify(value);
  if (kind === 'integer' && !/^\d{1,15}$/.test(value))
    throw invalidInput(`${field} takes a whole number, not ${got}`, { field, value });
  if (kind === 'number' && (value.trim() === '' || !Number.isFinite(Number(value))))
    throw invalidInput(`${field} takes a number, not ${got}`, { field, value });
  if (choices !== undefined && !choices.includes(value))
    throw invalidInput(`${field} takes ${choices.join(', ')}, not ${got}`, {
      field,
      value,
      allowed: choices,
      suggestion: nearestName(value, choices),
    });
}
