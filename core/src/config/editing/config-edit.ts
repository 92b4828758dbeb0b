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
  const changed = withChange(isTable(table) ? table : {}, edit.path, (value) => {
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
  return changed as Readonly<Record<string, unknown>>; // a path has at least one step
}

/** A value with the change at the end of a path, through lists by index and through tables, which are made where there are none. */
function withChange(value: unknown, [step, ...rest]: readonly string[], change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((each: unknown, at) => (String(at) === step ? withChange(each, rest, change) : each));
  const table = isTable(value) ? value : {};
  const inner = withChange(Object.hasOwn(table, step) ? table[step] : undefined, rest, change);
  const others = Object.fromEntries(Object.entries(table).filter(([name]) => name !== step));
  if (inner === undefined) return others;
  return Object.hasOwn(table, step) ? { ...table, [step]: inner } : { ...others, [step]: inner };
}
