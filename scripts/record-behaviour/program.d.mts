/** A bundled command line, and the checkout it lies in. */
export interface Program {
  readonly checkout: string;
  readonly bundle: string;
}

/** The program behind `host-cli/bin/kebab.cjs`. */
export declare function programOf(cli: string): Program;

/** Why a program is not fit to be recorded; null when it is. */
export declare function unfitness(program: Program): string | null;
