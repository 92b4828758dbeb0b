/** Receives what a component has to say; records go to a file or to stderr, never to stdout. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Names and values of a log record; no document text at level info. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Lets a caller stop work; built-in stages notice within a second. */
export interface AbortOptions {
  readonly signal?: AbortSignal;
}

/** What a component is given with each call. */
export interface CallContext {
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Reports how far a long call is, for example `{ done: 3, total: 40, note: 'page' }`. */
  progress(progress: { readonly done: number; readonly total?: number; readonly note?: string }): void;
}

/** Remembers derived bytes by content, across runs. */
export interface DerivationCache {
  get(key: string): Uint8Array | undefined;
  set(key: string, payload: Uint8Array): void;
}

/** The clock; tests bring their own. */
export interface Clock {
  now(): Date;
}

/** What every contributed component has. */
export interface Contribution {
  /** The id under which the plugin contributes it. */
  readonly id: string;
  /** Raised whenever its output can change, which makes kebab redo what it made. */
  readonly version: string;
  /** Names what else influences the output: options that are read, the revision of a model. Id and version count without it. */
  fingerprint?(): string;
  /**
   * Looks whether what it depends on (a server, a file, a program) can be used, and changes nothing: null when it can.
   * `kebab plugin doctor` asks; nothing else does.
   */
  health?(options?: AbortOptions): Promise<Unhealthy | null>;
  /** Frees what it holds; called once, in reverse order of creation. */
  close?(): void | Promise<void>;
}

/** What is wrong with something a component depends on, and what to do about it, each as one line. */
export interface Unhealthy {
  readonly problem: string;
  readonly remedy: string;
}
