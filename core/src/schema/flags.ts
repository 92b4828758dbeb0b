import type { Field, FieldOf, Fields } from './field.ts';

/** A flag of the command line, as its request declares it. */
export interface RequestFlag {
  readonly name: string;
  readonly short?: string | undefined;
  readonly kind: 'boolean' | 'string' | 'integer' | 'number';
  /** The placeholder for its value in help. */
  readonly value?: string | undefined;
  readonly repeats?: boolean | undefined;
  readonly commas?: boolean | undefined;
  /** The only accepted values. */
  readonly choices?: readonly string[] | undefined;
  /** Completions for the shell, where values are validated elsewhere or other values are possible. */
  readonly offers?: readonly string[] | undefined;
  /** The minimum and the maximum. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly summary: string;
}

/** The flags of a request, in its order: those of `keys`, by default those of every optional member. */
export function flagsOf<F extends Fields>(fields: F, keys?: readonly (keyof F & string)[]): readonly RequestFlag[] {
  const chosen = keys ?? Object.keys(fields).filter((key) => fields[key]?.required !== true);
  return chosen.flatMap((key) => {
    const field: Field | undefined = fields[key];
    return field === undefined ? [] : [flagOf(key, field)];
  });
}

/** The flag name of a request member. */
export function flagName(key: string, field: Field): string {
  return field.flag ?? key.replaceAll('_', '-');
}

function flagOf(key: string, field: Field): RequestFlag {
  const flag = { name: flagName(key, field), short: field.short, value: field.placeholder, summary: field.doc };
  switch (field.kind) {
    case 'bool':
      return { ...flag, kind: 'boolean' };
    case 'int':
    case 'number':
      return { ...flag, kind: field.kind === 'int' ? 'integer' : 'number', min: field.min, max: field.max };
    case 'enum':
      // Filters are validated where they are parsed, with the same messages as in a bulk line.
      return {
        ...flag,
        kind: 'string',
        choices: field.isFilter === true ? undefined : field.values,
        offers: field.values,
      };
    case 'texts': {
      const { commas, values } = field;
      return { ...flag, kind: 'string', repeats: true, commas, offers: values, summary: summaryOf(field) };
    }
    default:
      return { ...flag, kind: 'string' };
  }
}

/** The summary with the allowed values, each with its alias. */
function summaryOf({ doc, values = [], aliases = {} }: FieldOf<'texts'>): string {
  const shown = values.map((value) => {
    const short = Object.keys(aliases).find((alias) => aliases[alias] === value);
    return short === undefined ? value : `${value} (${short})`;
  });
  return shown.length === 0 ? doc : `${doc}: ${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}
