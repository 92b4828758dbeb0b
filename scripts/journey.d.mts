/** A user with a fresh home and a registry. */
export class Journey {
  constructor(options: {
    readonly home: string;
    readonly registry: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly say?: (line: string) => void;
  });
  readonly home: string;
  readonly lines: number;
  /** Types a line, and returns what is printed. */
  run(program: string, args: readonly string[]): Promise<string>;
}

/** The command line as it was installed. */
export interface Installed {
  readonly program: string;
  readonly prefix: string;
  readonly megabytes: number;
}

/** What a user does: installs the command line, and searches a folder. */
export function useAsUser(
  user: Journey,
  options?: { readonly flags?: readonly string[]; readonly afterInstall?: (modules: string) => void },
): Promise<Installed>;

/** What a user does who needs an optional part; returns its megabytes. */
export function usePart(user: Journey, options: { readonly program: string; readonly part: string }): Promise<number>;
