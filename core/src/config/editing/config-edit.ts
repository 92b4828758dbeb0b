import { isTable } from '../../schema/value.ts';

/** One change to a configuration file. A path addresses a key, table by table: `['search', 'default_k']`; of a list by its 0-based index. */
export type ConfigEdit =
  | { readonly kind: 'set'; readonly path: readonly string[]; readonly value: unknown }
  | { readonly kind: 'unset'; readonly path: readonly string[] }
  /** Adds a table to a list of tables. */
  | { readonly kind: 'append'; readonly path: readonly string[]; readonly table: Readonly<Record<string, unknown>> }
  /** Removes a table from a list of tables; the index is 0-based. */
  | { readonly kind: 'remove'; readonly path: readonly string[]; readonly index: number };

/** The parsed content of a file after a change. */
export function edited(table: unknown, edit: ConfigEdit): Readonly<Record<string, unknown>> {
  return withChange(isTable(table) ? table : {}, edit.path, (value) => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    switch (edit.kind) {
      case 'set':
        return edit.value;
      case 'unset':
        return undefined;
      case 'append':
        return [...list, edit.table];
      case 'remove': {
        const rest = list.filter((_, index) => index !== edit.index);
        return rest.length === 0 ? undefined : rest;
      }
      default:
        return edit satisfies never;
    }
  });
}

function withChange(
  table: Readonly<Record<string, unknown>>,
  [step = '', ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  const inner = Object.hasOwn(table, step) ? table[step] : undefined;
  const within = (value: unknown, steps: readonly string[]): unknown =>
    steps.length === 0
      ? change(value)
      : Array.isArray(value)
        ? value.map((each: unknown, at) => (String(at) === steps[0] ? within(each, steps.slice(1)) : each))
        : withChange(isTable(value) ? value : {}, steps, change);
  const value = within(inner, rest);
  const others = Object.fromEntries(Object.entries(table).filter(([name]) => name !== step));
  if (value === undefined) return others;
  return Object.hasOwn(table, step) ? { ...table, [step]: value } : { ...others, [step]: value };
}
