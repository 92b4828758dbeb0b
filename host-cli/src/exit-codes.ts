/** The exit codes of kebab. */
export const EXIT = {
  /** Success: at least one hit, a finished ingest, healthy. */
  ok: 0,
  /** Nothing found: no hit, a refusal, a citation that is gone. */
  nothing: 1,
  /** An error with a code. */
  error: 2,
  /** `doctor` found something unhealthy. */
  unhealthy: 3,
  /** An ingest or a repair finished, but could not read all of its files. */
  filesFailed: 4,
  /** Ctrl-C stopped the command. */
  interrupted: 130,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
