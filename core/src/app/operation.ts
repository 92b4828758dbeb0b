/** Whether an operation writes: always, never, or as its arguments say; then what is refused in read-only mode. */
export type Writes = boolean | ((...args: never) => string | null);

/**
 * One row of the table of operations: a use case as a function of the ports it names. `Available` is everything there is to
 * name; a row that names anything else does not compile.
 */
export interface Operation<
  Available,
  Needs extends keyof Available,
  Args extends readonly unknown[],
  Result extends Promise<unknown> | AsyncIterable<unknown>,
> {
  /** What people call it, as the command line does: `cite verify`. */
  readonly label: string;
  readonly writes: Writes;
  readonly needs: readonly Needs[];
  /**
   * Performed by the process that asks, also where a service answers: it changes what a service is made of (configuration, trust, models,
   * the database as a whole), is about this process, or takes so long that a process of its own serves better.
   */
  readonly here?: true;
  /** Answers with many values, one after another. */
  readonly streams?: true;
  /**
   * Goes on until its caller ends it, by the signal in its first argument, or whoever performs it ends. It does not keep a service from
   * ending for want of questions.
   */
  readonly lasts?: true;
  /** Imports the code of the use case and hands it its ports; called once an App, when the operation is first asked for. */
  readonly load: (ports: Pick<Available, Needs>) => Promise<(...args: Args) => Result>;
}

/** The method that an operation becomes in the facade. */
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

/** Hands a row's ports to a use case that takes them first; what else the use case takes, the operation takes. */
export function useCase<Ports, Args extends readonly unknown[], Result>(
  load: () => Promise<(ports: Ports, ...args: Args) => Result>,
): (ports: Ports) => Promise<(...args: Args) => Result> {
  return async (ports) => {
    const perform = await load();
    return (...args) => perform(ports, ...args);
  };
}
