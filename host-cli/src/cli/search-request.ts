import type { FlagSpec } from './command-spec.ts';
import type { CommandValues } from './parse-command-line.ts';

/** The flags of a command as a request with keys in snake_case: what a line of a bulk search may hold. */
export function requestOf(values: CommandValues, flags: readonly FlagSpec[]): Readonly<Record<string, unknown>> {
  const request: Record<string, unknown> = {};
  for (const flag of flags) {
    if (values.has(flag.name)) request[flag.name.replaceAll('-', '_')] = valueOf(values, flag);
  }
  return request;
}

function valueOf(values: CommandValues, { name, kind, repeats }: FlagSpec): unknown {
  if (kind === 'boolean') return true;
  if (kind !== 'string') return values.number(name);
  return repeats === true ? values.all(name) : values.text(name);
}
