import type { Scope } from '../access/caller.ts';

/**
 * Whether an operation writes: always, never, or depending on its arguments, in which case the result is named in the error of read-only
 * mode.
 */
export type Writes = boolean | ((...args: never) => string | null);

/**
 * One row of the table of operations: a use case as a function of the ports it names. `Available` contains all ports; a row that names
 * anything else does not compile.
 */
export interface Operation<
  Available,
  Needs extends keyof Available,
  Args extends readonly unknown[],
  Result extends Promise<unknown> | AsyncIterable<unknown>,
> {
  /** Its name for users, as on the command line: `cite verify`. */
  readonly label: string;
  /** What a caller with a token needs; `admin` for what concerns all documents, the machine or the configuration. */
  readonly scope: Scope;
  readonly writes: Writes;
  readonly needs: readonly Needs[];
  /**
   * Always runs in the calling process, even when there is a service: it changes what a service depends on (configuration, trust, models,
   * the database as a whole), concerns this process, or takes so long that a separate process is better.
   */
  readonly runsLocally?: true;
  /** Returns a stream of values. */
  readonly streams?: true;
  /**
   * Runs until its caller ends it, through the signal in its first argument, or its process ends. It does not count as activity that keeps
   * an idle service alive.
   */
  readonly lasts?: true;
  /** Imports the code of the use case and binds its ports; called once per App, when the operation is first used. */
  readonly load: (ports: Pick<Available, Needs>) => Promise<(...args: Args) => Result>;
}

/** The method of the facade for an operation. */
export type MethodOf<O> = O extends { readonly load: (ports: never) => Promise<infer Run> } ? Run : never;

/** Declares rows over the ports `Available`; the types of arguments and result are those of the use case. */
export function operationsOver<Available>() {
  return <
    const Needs extends keyof Available,
    Args extends readonly unknown[],
    Result extends Promise<unknown> | AsyncIterable<unknown>,
  >(
    row: Operation<Available, Needs, Args, Result>,
  ): Operation<Available, Needs, Args, Result> => row;
}

/** Binds a row's ports to a use case that takes them first; the operation takes its remaining arguments. */
export function useCase<Ports, Args extends readonly unknown[], Result>(
  load: () => Promise<(ports: Ports, ...args: Args) => Result>,
): (ports: Ports) => Promise<(...args: Args) => Result> {
  return async (ports) => {
    const perform = await load();
    return (...args) => perform(ports, ...args);
  };
}
