import { flagName, type Fields } from '@kebab/core/app';

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

  /** The given flags of a request under the keys that a line of a bulk search has for them. */
  request(fields: Fields): Readonly<Record<string, unknown>> {
    const given: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(fields)) {
      const name = flagName(key, field);
      if (this.has(name)) given[key] = this.#valueOf(name, field.kind);
    }
    return given;
  }

  #valueOf(name: string, kind: Fields[string]['kind']): unknown {
    if (kind === 'boolean') return true;
    if (kind === 'integer' || kind === 'number') return this.number(name);
    return kind === 'texts' ? this.all(name) : this.text(name);
  }
}
