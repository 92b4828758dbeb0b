import { promises } from 'node:fs';
import {
  KebabError,
  mediaTypeOf,
  normalizeWorkspacePath,
  throwIfCancelled,
  type CallContext,
  type FileStat,
  type SourceConnector,
  type SourceEntry,
  type SourceFile,
  type SourceScope,
} from '@kebab/plugin';

/** The settings of a user. */
export interface Settings {
  readonly encoding: 'utf8' | 'base64';
}

interface Item {
  readonly file: SourceFile;
  readonly bytes: Uint8Array;
}

/**
 * Documents from a JSON Lines file, which is the root of the source; one per line: `{"path": "notes/a.md", "content": "…"}`. An invalid
 * line becomes an error entry and does not stop the rest. The patterns of the scope are for folders and are ignored.
 */
export class FeedConnector implements SourceConnector {
  readonly id = '{{id}}';
  readonly version = '1';
  readonly #settings: Settings;
  #items: ReadonlyMap<string, Item> = new Map();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}+${this.#settings.encoding}`;
  }

  async *scan({ root }: SourceScope, { signal }: CallContext): AsyncGenerator<SourceEntry> {
    throwIfCancelled(signal, 'scan');
    const { items, errors } = await this.#read(root);
    this.#items = items;
    const entries: readonly SourceEntry[] = [...[...items.values()].map(({ file }) => file), ...errors];
    for (const entry of entries.toSorted(byPath)) {
      throwIfCancelled(signal, 'scan');
      yield entry;
    }
  }

  async read({ workspacePath }: SourceFile): Promise<Uint8Array> {
    const item = this.#items.get(workspacePath);
    if (item !== undefined) return item.bytes;
    throw new KebabError('io_error', `${workspacePath} is not in the feed`, {
      details: { kind: 'ENOENT', path: workspacePath, cause: 'it was not there at the last scan' },
    });
  }

  async stat({ root }: SourceScope, workspacePath: string): Promise<FileStat | null> {
    const found = (await this.#read(root)).items.get(workspacePath)?.file;
    return found === undefined ? null : { size: found.size, mtimeNs: found.mtimeNs };
  }

  async #read(
    root: string,
  ): Promise<{ readonly items: ReadonlyMap<string, Item>; readonly errors: readonly SourceEntry[] }> {
    const { mtimeNs, birthtimeMs } = await promises.stat(root, { bigint: true });
    const items = new Map<string, Item>();
    const errors: SourceEntry[] = [];
    for (const [at, line] of (await promises.readFile(root, 'utf8')).split('\n').entries()) {
      if (line.trim() === '') continue;
      try {
        const { path, content } = JSON.parse(line) as { readonly path: string; readonly content: string };
        const workspacePath = normalizeWorkspacePath(path);
        if (items.has(workspacePath)) throw new Error(`${workspacePath} comes twice`);
        const bytes = new Uint8Array(Buffer.from(content, this.#settings.encoding));
        const place = { workspacePath, uri: `feed:${root}#${workspacePath}`, mediaType: mediaTypeOf(workspacePath) };
        const times = { mtimeNs, birthtimeMs: Number(birthtimeMs) };
        items.set(workspacePath, { bytes, file: { kind: 'file', ...place, size: bytes.length, ...times } });
      } catch (error) {
        const message = `line ${at + 1}: ${error instanceof Error ? error.message : String(error)}`;
        errors.push({ kind: 'error', workspacePath: `line-${at + 1}`, message, code: 'io_error' });
      }
    }
    return { items, errors };
  }
}

/** UTF-8 bytes sort like code points. */
function byPath(a: SourceEntry, b: SourceEntry): number {
  return Buffer.compare(Buffer.from(a.workspacePath), Buffer.from(b.workspacePath));
}
