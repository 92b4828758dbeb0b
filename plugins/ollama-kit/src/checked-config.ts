import type { SchemaIssue, StandardSchema } from '@kebab/core';

/** Says what is wrong with a value; undefined when nothing is. */
export type Check = (value: unknown) => string | undefined;

/** What each member of a configuration must be, and what stands there by default. */
export interface ConfigRules {
  readonly checks: Readonly<Record<string, Check | ConfigRules>>;
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** An http or https URL. */
export const isHttpUrl: Check = (value) => {
  const problem = 'expected an http or https URL';
  if (typeof value !== 'string' || !URL.canParse(value)) return problem;
  return /^https?:$/.test(new URL(value).protocol) ? undefined : problem;
};

/** A text with something in it. */
export const isName: Check = (value) =>
  typeof value === 'string' && value.trim() !== '' ? undefined : 'expected a text that is not empty';

/** Any text. */
export const isText: Check = (value) => (typeof value === 'string' ? undefined : 'expected a text');

/** A whole number from 1. */
export const isCount: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 1 ? undefined : 'expected a whole number from 1';

/** A number of milliseconds, 0 for no limit. */
export const isLimit: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : 'expected a whole number from 0';

/** What another check allows, or null. */
export function orNull(check: Check): Check {
  return (value) => (value === null ? undefined : check(value));
}

/** What another check allows, or the empty text. */
export function orEmpty(check: Check): Check {
  return (value) => (value === '' ? undefined : check(value));
}

/** Makes a schema by hand: a plugin that may never be used must not load a schema library. `T` is what the rules describe. */
export function checkedConfig<T>(rules: ConfigRules): StandardSchema<T> {
  const validate = (value: unknown): { readonly value: T } | { readonly issues: readonly SchemaIssue[] } => {
    const { filled, issues } = applied(rules, value, []);
    return issues.length > 0 ? { issues } : { value: filled as T };
  };
  return { '~standard': { version: 1, vendor: 'kebab', validate } };
}

interface Applied {
  readonly filled: unknown;
  readonly issues: readonly SchemaIssue[];
}

function applied({ checks, defaults }: ConfigRules, value: unknown, path: readonly string[]): Applied {
  if (typeof value !== 'object' || value === null)
    return { filled: value, issues: [{ message: 'expected a table', path }] };
  const given: Readonly<Record<string, unknown>> = { ...defaults, ...value };
  const members = Object.entries(checks).map(([key, check]): readonly [string, Applied] => {
    const at = [...path, key];
    if (typeof check !== 'function') return [key, applied(check, given[key], at)];
    const message = check(given[key]);
    return [key, { filled: given[key], issues: message === undefined ? [] : [{ message, path: at }] }];
  });
  const unknown = Object.keys(given)
    .filter((key) => !(key in checks))
    .map((key): SchemaIssue => ({ message: 'unknown key', path: [...path, key] }));
  return {
    filled: Object.fromEntries(members.map(([key, { filled }]) => [key, filled])),
    issues: [...members.flatMap(([, { issues }]) => issues), ...unknown],
  };
}
