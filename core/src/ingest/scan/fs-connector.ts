import { readFileSync } from 'node:fs';
import type { CallContext } from '../../contracts/contribution.ts';
import type {
  FileStat,
  SourceConnector,
  SourceEntry,
  SourceFile,
  SourceScope,
} from '../../contracts/source-connector.ts';
import { throwIfCancelled } from '../../errors/abort.ts';
import { locateFile } from '../../documents/locate-file.ts';
import { pathOfUri } from './file-facts.ts';
import { TreeWalk, type WalkOptions } from './walk-tree.ts';

/** The built-in source: a folder on this machine, walked with its ignore files. */
export class FsConnector implements SourceConnector {
  readonly id = 'fs';
  readonly version = '1';
  readonly #options: WalkOptions;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}`;
  }

  async *scan(scope: SourceScope, context: CallContext): AsyncGenerator<SourceEntry> {
    for (const entry of new TreeWalk(scope, this.#options).entries()) {
      throwIfCancelled(context.signal, 'ingest');
      yield entry;
    }
  }

  async read(file: SourceFile): Promise<Uint8Array> {
    return readFileSync(pathOfUri(file.uri));
  }

  async stat(scope: SourceScope, workspacePath: string): Promise<FileStat | null> {
    const stat = locateFile(scope.root, workspacePath)?.stat;
    return stat?.isFile() === true ? { size: Number(stat.size), mtimeNs: stat.mtimeNs } : null;
  }
}
