/** Receives the log records of a component; they go to a file or to stderr, never to stdout. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** The fields of a log record; no document text at level info. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Lets a caller cancel work; built-in stages react within a second. */
export interface AbortOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The context that a component receives with each call. */
export interface CallContext {
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Reports the progress of a long call, for example `{ done: 3, total: 40, note: 'page' }`. */
  progress(progress: { readonly done: number; readonly total?: number; readonly note?: string }): void;
}

/** Caches derived bytes by content, across runs. */
export interface DerivationCache {
  get(key: string): Uint8Array | undefined;
  set(key: string, payload: Uint8Array): void;
}

/** The clock; tests supply their own. */
export interface Clock {
  now(): Date;
}

/** The members that every contributed component has. */
export interface Contribution {
  /** The id under which the plugin contributes it. */
  readonly id: string;
  /** Raised whenever its output can change; kebab then redoes what it produced. */
  readonly version: string;
  /** Names whatever else influences the output: options that it reads, the revision of a model. Id and version are included without it. */
  fingerprint?(): string;
  /**
   * Checks whether its dependencies (a server, a file, a program) are usable, and changes nothing: null when they are. Only `kebab plugin
   * doctor` calls it.
   */
  health?(options?: AbortOptions): Promise<Unhealthy | null>;
  /** Releases its resources; called once, in reverse order of creation. */
  close?(): void | Promise<void>;
}

/** A problem with a dependency of a component, and its remedy, one line each. */
export interface Unhealthy {
  readonly problem: string;
  readonly remedy: string;
}
