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
  async *scan(scope: SourceScope, { signal }: CallContext): AsyncGenerator<SourceEntry> {
    this.#roots.add(scope.root);
    throwIfCancelled(signal, 'ingest');
    for (const entry of new TreeWalk(scope, this.#options).entries()) {
      yield entry;
      throwIfCancelled(signal, 'ingest');
    }
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

/** A connector that reads files as another one does, but yields other entries. */
export function withScan(connector: SourceConnector, scan: SourceConnector['scan']): SourceConnector {
  const { id, version } = connector;
  return {
    id,
    version,
    fingerprint: () => connector.fingerprint?.() ?? `${id}@${version}`,
    scan,
    read: (file, context) => connector.read(file, context),
    stat: async (scope, path, context) => (await connector.stat?.(scope, path, context)) ?? null,
  };
}

/** Walks the copies of documents that were added by hand. No ignore file applies to them. */
export function externalConnector(): SourceConnector {
  return { ...withScan(plainFiles(), scanCopies), id: 'external', fingerprint: () => 'external@1' };
}

async function* scanCopies({ root }: SourceScope, { signal }: CallContext): AsyncGenerator<SourceEntry> {
  for (const path of namesIn(root).toSorted(compareCodePoints)) {
    throwIfCancelled(signal, 'ingest');
    yield entryOf(path, join(root, path));
  }
}

/** Replaces the connector of a folder in a run that ingests one of its files, regardless of ignore files. */
export function oneFileConnector(workspacePath: string): SourceConnector {
  return withScan(plainFiles(), async function* ({ root }) {
    const path = locateFile({ root, linksOutside: false }, workspacePath)?.path ?? join(root, workspacePath);
    yield entryOf(workspacePath, path);
  });
}

function plainFiles(): FsConnector {
  return new FsConnector({ followSymlinks: false, leaveOut: [] });
}

/** Replaces a connector whose plugin does not work: its source has an unreadable root, and keeps its documents. */
export function failedConnector(id: string, why: KebabError): SourceConnector {
  return {
    id,
    version: '0',
    fingerprint: () => `${id}@0`,
    scan: async function* () {
      yield { kind: 'error', workspacePath: '.', message: why.message, code: why.code };
    },
    read: () => Promise.reject(why),
  };
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
