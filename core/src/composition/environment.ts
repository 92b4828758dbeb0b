/** What a process knows of its surroundings, as a value: only hosts read it from the operating system. */
export interface AppEnvironment {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  /** Where temporary folders may be made. */
  readonly tmpDir: string;
  /** Called before code of a plugin that is not built in first runs, which may print where it should not. */
  readonly beforeForeignCode?: () => void;
  /** How many processors there are; what the machine has by default. */
  readonly processors?: number;
}
