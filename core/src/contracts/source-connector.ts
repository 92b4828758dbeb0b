import type { ErrorCode } from '../errors/codes.ts';
import type { MediaType } from '../domain/media.ts';
import type { CallContext, Contribution } from './contribution.ts';

/** The part of a source to walk. `include` and `exclude` use gitignore syntax, relative to the root. */
export interface SourceScope {
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /**
   * Called by a connector that walks folders, before it lists one, with its path inside the root (with a trailing slash, empty for the root
   * itself) and the time when its list of names last changed.
   */
  readonly onDirectory?: ((path: string, mtimeMs: number) => void) | undefined;
  /** Called for each folder except the root: false skips it, without an entry for it. */
  readonly enters?: ((path: string) => boolean) | undefined;
}

/** A file in a source. */
export interface SourceFile {
  readonly kind: 'file';
  readonly workspacePath: string;
  readonly uri: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly birthtimeMs: number;
  readonly mediaType: MediaType;
  /**
   * When the link that leads to the file changed: it may point to another file since, of the same size and time. Absent for files that are
   * not links.
   */
  readonly linkChangedNs?: bigint | undefined;
}

/** One result of a walk: a file, a skipped entry with the counter that records it, or an unreadable entry. */
export type SourceEntry =
  | SourceFile
  | { readonly kind: 'skipped'; readonly workspacePath: string; readonly counter: string }
  | { readonly kind: 'error'; readonly workspacePath: string; readonly message: string; readonly code: ErrorCode };

/** The current size and modification time of one file. */
export interface FileStat {
  readonly size: number;
  readonly mtimeNs: bigint;
}

/**
 * Reads documents from one kind of place. A scan is in stable sorted order, each file once, every path relative and inside the root; an
 * unreadable entry is an `error` entry, never a throw; `read` returns exactly the bytes.
 */
export interface SourceConnector extends Contribution {
  scan(scope: SourceScope, context: CallContext): AsyncIterable<SourceEntry>;
  read(file: SourceFile, context: CallContext): Promise<Uint8Array>;
  /** Null when the file does not exist; absent when the place has no files. */
  stat?(scope: SourceScope, workspacePath: string, context: CallContext): Promise<FileStat | null>;
}
