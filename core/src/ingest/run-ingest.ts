import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { IngestOptions } from './ingest-options.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { IngestReport } from '../wire/index.ts';
import { EXTERNAL, EXTERNAL_FOLDER } from '../documents/external-folder.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import { IngestEngine, type IngestPorts } from './run/ingest-engine.ts';
import { sourcesToWalk, type IngestSource } from './run/ingest-sources.ts';
import type { WalkedSource } from './run/scan-sources.ts';
import { ExternalConnector, FailedConnector } from './scan/connectors.ts';

/** Brings the index up to date with the configured sources. */
export class IngestFolder {
  readonly #ports: IngestPorts;
  readonly #engine: IngestEngine;

  /** `isolated` runs the extractors that want a thread of their own; null runs them on the calling thread. */
  constructor(ports: IngestPorts, isolated: ExtractionHost | null) {
    this.#ports = ports;
    this.#engine = new IngestEngine({ ports, isolated });
  }

  /**
   * Walks the wanted sources, takes in what is new or changed, and removes what is gone. A file that fails is an item of
   * the report and stops nothing; a cancelled run finishes the document in flight and reports what it did.
   * Errors: `invalid_input` for an unknown source, `locked`, `readonly_mode`, `io_error` when no root can be walked.
   */
  async run(options: IngestOptions = {}): Promise<IngestReport> {
    const wanted = sourcesToWalk(this.#ports.config, options.sources);
    return this.#engine.run({ options, hints: null, open: (store) => this.#open(wanted, options, store) });
  }

  async #open(
    sources: readonly IngestSource[],
    options: IngestOptions,
    store: DocumentStore,
  ): Promise<readonly WalkedSource[]> {
    const hasExternal = options.sources !== undefined || (await this.#hasExternal(store));
    const walked = sources.filter(({ id }) => id !== EXTERNAL || hasExternal);
    return Promise.all(walked.map(async (source) => ({ ...source, connector: await this.#connector(source) })));
  }

  async #connector({ connectorId }: IngestSource): Promise<WalkedSource['connector']> {
    if (connectorId === EXTERNAL) return new ExternalConnector({ folder: EXTERNAL_FOLDER });
    try {
      return await this.#ports.connectors.get(connectorId);
    } catch (error) {
      if (!isKebabError(error, 'plugin_failed') && !isKebabError(error, 'plugin_incompatible')) throw error;
      return new FailedConnector(connectorId, error); // the other sources are walked all the same
    }
  }

  async #hasExternal(store: DocumentStore): Promise<boolean> {
    return (
      existsSync(join(this.#ports.config.workspace.root, EXTERNAL_FOLDER)) ||
      (await store.knownSources()).includes(EXTERNAL)
    );
  }
}
