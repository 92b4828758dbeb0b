import { type Fields, flagName } from '@kebab/core/app';
import type { FlagSpec } from './command-spec.ts';

/** The values of a command line, by the names of arguments and flags. */
export class CommandValues {
  readonly #args: ReadonlyMap<string, readonly string[]>;
  readonly #flags: ReadonlyMap<string, readonly string[]>;

  constructor(args: ReadonlyMap<string, readonly string[]>, flags: ReadonlyMap<string, readonly string[]>) {
    this.#args = args;
    this.#flags = flags;
  }

  /** A positional argument; empty if it was not given. */
  arg(name: string): string {
    return this.args(name)[0] ?? '';
  }

  /** Every value of a positional argument that repeats. */
  args(name: string): readonly string[] {
    return this.#args.get(name) ?? [];
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

  /** The given flags of a request, by the keys that a line of a bulk search uses for them. */
  request(fields: Fields): Readonly<Record<string, unknown>> {
    const request: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(fields)) {
      const name = flagName(key, field);
      if (this.has(name)) request[key] = this.#valueOf(name, field.kind);
    }
    return request;
  }

  #valueOf(name: string, kind: Fields[string]['kind']): unknown {
    if (kind === 'bool') return true;
    if (kind === 'int' || kind === 'number') return this.number(name);
    return kind === 'texts' ? this.all(name) : this.text(name);
  }
}

/** The flags that every command accepts. */
export const GLOBAL_FLAGS: readonly FlagSpec[] = [
  { name: 'config', kind: 'string', value: 'PATH', summary: 'use only this configuration file' },
  { name: 'json', kind: 'boolean', summary: 'print JSON: wire objects on stdout, errors on stderr' },
  { name: 'verbose', kind: 'boolean', summary: 'show the chain of causes of an error' },
  { name: 'debug', kind: 'boolean', summary: 'write the log to stderr (also KEBAB_LOG=debug)' },
  { name: 'quiet', kind: 'boolean', summary: 'no progress, no notices' },
  {
    name: 'color',
    kind: 'string',
    value: 'WHEN',
    choices: ['auto', 'always', 'never'],
    summary: 'auto (on a terminal), always or never; overrides NO_COLOR and FORCE_COLOR',
  },
  { name: 'readonly', kind: 'boolean', summary: 'refuse everything that writes (also KEBAB_READONLY=1)' },
  { name: 'plugin', kind: 'string', value: 'PATH', repeats: true, summary: 'use this plugin for this run' },
  { name: 'schema-version', kind: 'string', value: 'V', summary: 'version of the --json objects; only v1 exists' },
  { name: 'help', short: 'h', kind: 'boolean', summary: 'show help' },
  { name: 'version', short: 'V', kind: 'boolean', summary: 'show the version' },
];

/** Opens encrypted PDF files. */
export const PDF_PASSWORD: FlagSpec = {
  name: 'pdf-password',
  kind: 'string',
  value: 'P',
  summary: 'password of encrypted PDF files; KEBAB_PDF_PASSWORD keeps it out of the process list',
};

/** The golden suite of `eval run` when neither `--suite` nor `KEBAB_EVAL_GOLDEN` names one. */
export const DEFAULT_SUITE = 'fixtures/golden_queries.yaml';
