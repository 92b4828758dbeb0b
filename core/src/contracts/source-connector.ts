import type { ErrorCode } from '../errors/codes.ts';
import type { MediaType } from '../domain/media.ts';
import type { CallContext, Contribution } from './contribution.ts';

/** What of a source is to be walked. `include` and `exclude` have gitignore syntax, relative to the root. */
export interface SourceScope {
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /**
   * Asked of a connector that walks folders, before it lists one: its path inside the root with a trailing slash, empty for the
   * root itself, and when its list of names changed last.
   */
  readonly onDirectory?: ((path: string, mtimeMs: number) => void) | undefined;
  /** The same of each folder but the root: false leaves it unlisted, without an entry for it. */
  readonly enters?: ((path: string) => boolean) | undefined;
}

/** A file that a source holds. */
export interface SourceFile {
  readonly kind: 'file';
  readonly workspacePath: string;
  readonly uri: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly birthtimeMs: number;
  readonly mediaType: MediaType;
  /** When the link changed that leads to it: it may lead to another file since, of the same size and time. Absent for what is no link. */
  readonly linkChangedNs?: bigint | undefined;
}

/** What a walk decided on: a file, something left out with the counter it falls under, or something unreadable. */
export type SourceEntry =
  | SourceFile
  | { readonly kind: 'skipped'; readonly workspacePath: string; readonly counter: string }
  | { readonly kind: 'error'; readonly workspacePath: string; readonly message: string; readonly code: ErrorCode };

/** Size and modification time of one file as they are now. */
export interface FileStat {
  readonly size: number;
  readonly mtimeNs: bigint;
}

/**
 * Brings documents from one kind of place. A scan is in stable sorted order, each file once, every path relative and
 * inside the root; an unreadable entry is an `error` entry, never a throw; `read` gives exactly the bytes.
 */
export interface SourceConnector extends Contribution {
  scan(scope: SourceScope, context: CallContext): AsyncIterable<SourceEntry>;
  read(file: SourceFile, context: CallContext): Promise<Uint8Array>;
  /** Null when the file is not there; absent when the place has no files. */
  stat?(scope: SourceScope, workspacePath: string, context: CallContext): Promise<FileStat | null>;
}
