import type { SchemaIssue, SchemaResult, StandardSchema } from './define-plugin.ts';

/** Says what is wrong with a value; undefined when nothing is. */
export type ConfigCheck = (value: unknown) => string | undefined;

/** What each member of a configuration must be, and what stands there by default. */
export interface ConfigRules {
  readonly checks: Readonly<Record<string, ConfigCheck | ConfigRules>>;
  readonly defaults?: Readonly<Record<string, unknown>>;
}

/** Checks of single values, for {@link checkedConfig}. */
export const checks = {
  /** Any text. */
  text: are('a text', (value) => typeof value === 'string'),
  /** A text with something in it. */
  name: are('a text that is not empty', (value) => typeof value === 'string' && value.trim() !== ''),
  /** A list of texts with something in them, at least one. */
  names: are(
    'a list of texts that are not empty',
    (value) =>
      Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && one.trim() !== ''),
  ),
  /** An http or https URL. */
  httpUrl: are(
    'an http or https URL',
    (value) => typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  ),
  /** True or false. */
  flag: are('true or false', (value) => typeof value === 'boolean'),
  /** A whole number from 1. */
  count: wholeFrom(1),
  /** A whole number from 0; of milliseconds, 0 is for no limit. */
  limit: wholeFrom(0),
  /** A number from 0 to 1. */
  share: are('a number from 0 to 1', (value) => typeof value === 'number' && value >= 0 && value <= 1),
  /** One of some texts. */
  oneOf: (...values: readonly string[]): ConfigCheck =>
    are(`one of ${values.join(', ')}`, (value) => (values as readonly unknown[]).includes(value)),
  /** A text that a pattern fits, told in words. */
  matching: (pattern: RegExp, what: string): ConfigCheck =>
    are(what, (value) => typeof value === 'string' && pattern.test(value)),
  /** What another check allows, or null. */
  orNull: (check: ConfigCheck): ConfigCheck => allowing({ other: null, named: 'null' }, check),
  /** What another check allows, or the empty text. */
  orEmpty: (check: ConfigCheck): ConfigCheck => allowing({ other: '', named: 'the empty text' }, check),
  /** What another check allows, or nothing at all. */
  optional: (check: ConfigCheck): ConfigCheck => allowing({ other: undefined, named: 'nothing' }, check),
} as const;

/**
 * Makes a Standard Schema from rules, for plugins that must not load a schema library at every start. Members that are left
 * out have their defaults; a member without one must be there; others are `unknown key`. `T` is what the rules describe.
 */
export function checkedConfig<T>(rules: ConfigRules): StandardSchema<T> {
  const validate = (value: unknown): SchemaResult<T> => {
    const { filled, issues } = applied(rules, value, []);
    return issues.length > 0 ? { issues } : { value: filled as T };
  };
  return { '~standard': { version: 1, vendor: 'kebab', validate } };
}

interface Applied {
  readonly filled: unknown;
  readonly issues: readonly SchemaIssue[];
}

function applied({ checks: members, defaults }: ConfigRules, value: unknown, path: readonly string[]): Applied {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { filled: value, issues: [{ message: 'expected a table', ...(path.length > 0 && { path }) }] };
  const given: Readonly<Record<string, unknown>> = { ...defaults, ...value };
  const results = Object.entries(members).map(([key, check]): readonly [string, Applied] => {
    const at = [...path, key];
    if (typeof check !== 'function') return [key, applied(check, given[key], at)];
    const message = check(given[key]);
    return [key, { filled: given[key], issues: message === undefined ? [] : [{ message, path: at }] }];
  });
  const unknown = Object.keys(given)
    .filter((key) => !Object.hasOwn(members, key))
    .map((key): SchemaIssue => ({ message: 'unknown key', path: [...path, key] }));
  return {
    filled: Object.fromEntries(results.map(([key, { filled }]) => [key, filled])),
    issues: [...results.flatMap(([, { issues }]) => issues), ...unknown],
  };
}

function are(what: string, holds: (value: unknown) => boolean): ConfigCheck {
  return (value) => (holds(value) ? undefined : `expected ${what}`);
}

function wholeFrom(least: number): ConfigCheck {
  return are(`a whole number from ${least}`, (value) => Number.isSafeInteger(value) && (value as number) >= least);
}

function allowing(
  { other, named }: { readonly other: null | '' | undefined; readonly named: string },
  check: ConfigCheck,
): ConfigCheck {
  return (value) => {
    const message = value === other ? undefined : check(value);
    return message === undefined ? undefined : `${message}, or ${named}`;
  };
}
