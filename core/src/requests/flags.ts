import type { Field, Fields } from './field.ts';

/** A flag of the command line, as its request declares it. */
export interface RequestFlag {
  readonly name: string;
  readonly short?: string | undefined;
  readonly kind: 'boolean' | 'string' | 'integer' | 'number';
  /** The word for its value in help. */
  readonly value?: string | undefined;
  readonly repeats?: boolean | undefined;
  readonly commas?: boolean | undefined;
  /** The only values it takes. */
  readonly choices?: readonly string[] | undefined;
  /** Values that a shell offers, where something else checks them or there are others too. */
  readonly offers?: readonly string[] | undefined;
  /** The least and the greatest number it takes. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly summary: string;
}

/** The flags of a request, in its order: those of `keys`, by default of every member that may be left out. */
export function flagsOf<F extends Fields>(fields: F, keys?: readonly (keyof F & string)[]): readonly RequestFlag[] {
  const chosen = keys ?? Object.keys(fields).filter((key) => fields[key]?.required !== true);
  return chosen.flatMap((key) => {
    const field: Field | undefined = fields[key];
    return field === undefined ? [] : [flagOf(key, field)];
  });
}

/** The name of the flag for a member of a request. */
export function flagName(key: string, field: Field): string {
  return field.flag ?? key.replaceAll('_', '-');
}

function flagOf(key: string, field: Field): RequestFlag {
  const flag = {
    name: flagName(key, field),
    short: field.short,
    value: field.placeholder,
    summary: field.summary,
  };
  switch (field.kind) {
    case 'boolean':
      return { ...flag, kind: field.kind };
    case 'integer':
    case 'number':
      return { ...flag, kind: field.kind, min: field.min, max: field.max };
    case 'text':
    case 'time':
    case 'requests':
      return { ...flag, kind: 'string' };
    case 'choice':
      // A filter is checked where filters are read, with the words of a bulk line.
      return {
        ...flag,
        kind: 'string',
        choices: field.isFilter === true ? undefined : field.choices,
        offers: field.choices,
      };
    case 'texts':
      return {
        ...flag,
        kind: 'string',
        repeats: true,
        commas: field.commas,
        offers: field.choices,
        summary: withChoices(field),
      };
    default:
      return field satisfies never;
  }
}

/** The summary with the values there are, each with its short spelling. */
function withChoices({
  summary,
  choices = [],
  aliases = {},
}: {
  readonly summary: string;
  readonly choices?: readonly string[];
  readonly aliases?: Readonly<Record<string, string>>;
}): string {
  const last = choices.at(-1);
  if (last === undefined) return summary;
  const shown = choices.map((choice) => {
    const short = Object.keys(aliases).find((alias) => aliases[alias] === choice);
    return short === undefined ? choice : `${choice} (${short})`;
  });
  return `${summary}: ${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}
