import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CallContext } from '../../contracts/contribution.ts';
import type {
  FileStat,
  SourceConnector,
  SourceEntry,
  SourceFile,
  SourceScope,
} from '../../contracts/source-connector.ts';
import { locateFile } from '../../documents/locate-file.ts';
import { compareCodePoints } from '../../domain/code-point-order.ts';
import { throwIfCancelled } from '../../errors/abort.ts';
import { KebabError } from '../../errors/kebab-error.ts';
import { readRegularFile, liesInside } from '../../files/read-regular-file.ts';
import { pathOfUri, sourceFile, unreadable } from './list-directory.ts';
import { TreeWalk, type WalkOptions } from './walk-tree.ts';

/** The built-in source: a local folder, walked with its ignore files. */
export class FsConnector implements SourceConnector {
  readonly id = 'fs';
  readonly version = '1';
  readonly #options: FsOptions;
  /** The walked folders, which links must not lead out of. */
  readonly #roots = new Set<string>();

  constructor(options: FsOptions) {
    this.#options = options;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}`;
  }

  /** The folder is not accessed before the first entry is requested. */
  scan(scope: SourceScope, { signal }: CallContext): AsyncIterable<SourceEntry> {
    this.#roots.add(scope.root);
    // Not an async generator, whose overhead for thousands of entries equals the rest of the walk.
    return {
      [Symbol.asyncIterator]: () => {
        const entries = new TreeWalk(scope, this.#options).entries();
        return {
          next: async () => {
            throwIfCancelled(signal, 'ingest');
            return entries.next();
          },
          return: async () => entries.return(undefined),
        };
      },
    };
  }

  async read(file: SourceFile): Promise<Uint8Array> {
    const { followSymlinks, maxFileBytes = Number.POSITIVE_INFINITY } = this.#options;
    const path = pathOfUri(file.uri);
    const options = { maxBytes: maxFileBytes, followLink: false };
    try {
      return readRegularFile(path, options);
    } catch (error) {
      const isLink = (error as NodeJS.ErrnoException).code === 'ELOOP';
      if (!isLink || !followSymlinks) throw error;
      return readRegularFile(this.#followed(path), options);
    }
  }

  async stat({ root }: SourceScope, workspacePath: string): Promise<FileStat | null> {
    const { linksOutside = false } = this.#options;
    return locateFile({ root, linksOutside }, workspacePath)?.stat ?? null;
  }

  /** The target of a link, which may have been a file when the link was found. */
  #followed(link: string): string {
    const real = realpathSync.native(link);
    if (this.#options.linksOutside === true || [...this.#roots].some((root) => liesInside(real, root))) return real;
    throw new KebabError('io_error', `${link} is a link that leads out of its source`, {
      details: { kind: 'ELOOP', path: link, cause: `it leads to ${real}` },
    });
  }
}

/** Options for walking a folder and reading its files. */
interface FsOptions extends WalkOptions {
  /** Larger files are not read. */
  readonly maxFileBytes?: number | undefined;
}

/** Walks the copies of documents that were added by hand. No ignore file applies to them. */
export class ExternalConnector implements SourceConnector {
  readonly id = 'external';
  readonly version = '1';
  readonly #files = new FsConnector({ followSymlinks: false, leaveOut: [] });

  fingerprint(): string {
    return `${this.id}@${this.version}`;
  }

  async *scan({ root }: SourceScope, context: CallContext): AsyncGenerator<SourceEntry> {
    for (const path of namesIn(root).toSorted(compareCodePoints)) {
      throwIfCancelled(context.signal, 'ingest');
      yield entryOf(path, join(root, path));
    }
  }

  async read(file: SourceFile): Promise<Uint8Array> {
    return this.#files.read(file);
  }

  async stat(scope: SourceScope, workspacePath: string): Promise<FileStat | null> {
    return this.#files.stat(scope, workspacePath);
  }
}

/** Replaces the connector of a folder in a run that ingests one of its files, regardless of ignore files. */
export class OneFileConnector implements SourceConnector {
  readonly id = 'fs';
  readonly version = '1';
  readonly #files = new FsConnector({ followSymlinks: false, leaveOut: [] });
  readonly #workspacePath: string;

  constructor(workspacePath: string) {
    this.#workspacePath = workspacePath;
  }

  fingerprint(): string {
    return this.#files.fingerprint();
  }

  async *scan({ root }: SourceScope): AsyncGenerator<SourceEntry> {
    yield entryOf(
      this.#workspacePath,
      locateFile({ root, linksOutside: false }, this.#workspacePath)?.path ?? join(root, this.#workspacePath),
    );
  }

  async read(file: SourceFile): Promise<Uint8Array> {
    return this.#files.read(file);
  }

  async stat(scope: SourceScope, workspacePath: string): Promise<FileStat | null> {
    return this.#files.stat(scope, workspacePath);
  }
}

function entryOf(workspacePath: string, absolutePath: string): SourceEntry {
  try {
    return sourceFile(workspacePath, absolutePath, statSync(absolutePath, { bigint: true }));
  } catch (error) {
    return unreadable(workspacePath, error);
  }
}

/** The names of the copies, except temporary files left behind by a crash. */
function namesIn(directory: string): readonly string[] {
  try {
    const names = readdirSync(directory, { withFileTypes: true });
    const copies = names.filter(
      (dirent) => dirent.isFile() && !dirent.name.startsWith('.') && !dirent.name.endsWith('.tmp'),
    );
    return copies.map(({ name }) => name);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    throw error;
  }
}

/** Replaces a connector whose plugin does not work: its source has an unreadable root, and keeps its documents. */
export class FailedConnector implements SourceConnector {
  readonly id: string;
  readonly version = '0';
  readonly #why: KebabError;

  constructor(id: string, why: KebabError) {
    this.id = id;
    this.#why = why;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}`;
  }

  async *scan(): AsyncGenerator<SourceEntry> {
    yield { kind: 'error', workspacePath: '.', message: this.#why.message, code: this.#why.code };
  }

  async read(): Promise<Uint8Array> {
    throw this.#why;
  }
}
