import type { RequestCourse } from './channel.ts';

/** A serialised argument: its data, and its non-data members, which the other process recreates. */
export interface SentArgument {
  readonly data: unknown;
  readonly signal?: true | undefined;
  readonly log?: true | undefined;
  /** Names of callbacks in the argument; calling one is an event of that name. Their return values are ignored. */
  readonly listeners?: readonly string[] | undefined;
}

/** Serialises an argument: the data of an options object, and its non-data members; of its functions, those whose result does not matter. */
export function sentArgument(arg: unknown, isListener: (name: string) => boolean = () => true): SentArgument {
  if (!isTable(arg)) return { data: arg };
  const entries = Object.entries(arg);
  if (!entries.some(isSpecial)) return { data: arg };
  return {
    data: Object.fromEntries(entries.filter((entry) => !isSpecial(entry))),
    ...(arg['signal'] instanceof AbortSignal ? { signal: true } : {}),
    ...(arg['log'] === undefined ? {} : { log: true }),
    listeners: entries.flatMap(([name, value]) => (typeof value === 'function' && isListener(name) ? [name] : [])),
  };
}

function isSpecial([name, value]: readonly [string, unknown]): boolean {
  return typeof value === 'function' || value instanceof AbortSignal || name === 'log';
}

function isTable(arg: unknown): arg is Readonly<Record<string, unknown>> {
  return typeof arg === 'object' && arg !== null && Object.getPrototypeOf(arg) === Object.prototype;
}

/** Restores an argument for a request: its signal is that of the request, and its callbacks report events. */
export function revivedArgument(
  { data, signal, log, listeners }: SentArgument,
  course: RequestCourse,
  ownLog?: unknown,
): unknown {
  if (signal === undefined && log === undefined && listeners === undefined) return data;
  return {
    ...(data as object),
    ...(signal === true ? { signal: course.signal } : {}),
    ...(log === true ? { log: ownLog } : {}),
    ...Object.fromEntries((listeners ?? []).map((name) => [name, course.event.bind(null, name)])),
  };
}

/** The signal and the callbacks among some arguments. */
export function heardIn(args: readonly unknown[]): {
  readonly signal: AbortSignal | undefined;
  readonly onEvent: (name: string, values: readonly unknown[]) => void;
} {
  const tables = args.filter(isTable);
  return {
    signal: tables.map(({ signal }) => signal).find((one) => one instanceof AbortSignal),
    onEvent: (name, values) => {
      for (const table of tables) {
        const hears = Object.hasOwn(table, name) ? table[name] : undefined;
        if (typeof hears === 'function') (hears as (...them: readonly unknown[]) => void)(...values);
      }
    },
  };
}
