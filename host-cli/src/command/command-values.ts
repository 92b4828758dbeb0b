import type { FlagSpec } from './command-spec.ts';

/** The values of a command line, by the names of arguments and flags. */
export class CommandValues {
  readonly #args: ReadonlyMap<string, string>;
  readonly #flags: ReadonlyMap<string, readonly string[]>;

  constructor(args: ReadonlyMap<string, string>, flags: ReadonlyMap<string, readonly string[]>) {
    this.#args = args;
    this.#flags = flags;
  }

  /** A positional argument; empty when it was not given. */
  arg(name: string): string {
    return this.#args.get(name) ?? '';
  }

  /** Whether a flag was given. */
  has(name: string): boolean {
    return this.#flags.has(name);
  }

  /** The last value of a flag. */
  text(name: string): string | undefined {
    return this.#flags.get(name)?.at(-1);
  }

  /** Every value of a flag, in order. */
  all(name: string): readonly string[] | undefined {
    return this.#flags.get(name);
  }

  /** The value of a flag that takes a number; the parser has checked that it is one. */
  number(name: string): number | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : Number(value);
  }

  /** The given ones of these flags as a request with keys in snake_case, like a line of a bulk search. */
  request(flags: readonly FlagSpec[]): Readonly<Record<string, unknown>> {
    const given = flags.filter(({ name }) => this.has(name));
    return Object.fromEntries(given.map((flag) => [flag.name.replaceAll('-', '_'), this.#requested(flag)]));
  }

  #requested({ name, kind, repeats }: FlagSpec): unknown {
    if (kind === 'boolean') return true;
    if (kind !== 'string') return this.number(name);
    return repeats === true ? this.all(name) : this.text(name);
  }
}
