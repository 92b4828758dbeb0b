import { EXTERNAL } from '../documents/source-roots.ts';
import type { DocumentPlace, DocumentStore } from '../contracts/document-store.ts';
import type { SourceConnector, SourceEntry, SourceScope } from '../contracts/source-connector.ts';
import type { CallContext } from '../contracts/contribution.ts';
import type { IngestReport } from '../wire/index.ts';
import { connectorOf } from './ingest-folder.ts';
import type { IngestOptions, IngestPorts } from './ingest-context.ts';
import { performIngest } from './perform-ingest.ts';
import { sourcesToWalk, type WalkedSource } from './run/scan-sources.ts';

/**
 * Reads documents again from their files, where they were indexed from, and gives every document the vectors it lacks. No other
 * document is touched, and none is removed. Without places every file is looked at, as far as it is not indexed.
 */
export async function rereadDocuments(
  ports: IngestPorts,
  places: readonly DocumentPlace[] | null,
  options: IngestOptions = {},
): Promise<IngestReport> {
  const open = async (store: DocumentStore): Promise<readonly WalkedSource[]> => {
    const indexed = await store.indexedRoots();
    const sources = sourcesToWalk(ports.config, indexed, undefined);
    return Promise.all(
      sources.map(async (source) => {
        const connector = await connectorOf(source, ports);
        const paths = places?.filter(({ sourceId }) => sourceId === source.id).map((place) => place.workspacePath);
        const isFolder = source.connectorId === 'fs' || source.id === EXTERNAL;
        const root = (isFolder ? indexed.get(source.id) : undefined) ?? source.root;
        return {
          ...source,
          root,
          connector: paths === undefined ? connector : new SomeFiles(connector, new Set(paths)),
        };
      }),
    );
  };
  return performIngest(ports, { options, open, hints: null, isWhole: false });
}

/** Of what a connector finds, some files alone; a source of which none is wanted is not walked. */
class SomeFiles implements SourceConnector {
  readonly id: string;
  readonly version: string;
  readonly #whole: SourceConnector;
  readonly #paths: ReadonlySet<string>;

  constructor(whole: SourceConnector, paths: ReadonlySet<string>) {
    this.id = whole.id;
    this.version = whole.version;
    this.#whole = whole;
    this.#paths = paths;
  }

  fingerprint(): string {
    return this.#whole.fingerprint?.() ?? `${this.id}@${this.version}`;
  }

  async *scan(scope: SourceScope, context: CallContext): AsyncGenerator<SourceEntry> {
    if (this.#paths.size === 0) return;
    for await (const entry of this.#whole.scan(scope, context)) if (this.#paths.has(entry.workspacePath)) yield entry;
  }

  read(...given: Parameters<SourceConnector['read']>): Promise<Uint8Array> {
    return this.#whole.read(...given);
  }
}
