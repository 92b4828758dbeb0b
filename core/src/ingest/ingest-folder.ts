import { existsSync } from 'node:fs';
import type { DocumentStore } from '../contracts/document-store.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { IngestReport } from '../wire/index.ts';
import { EXTERNAL, externalRoot } from '../documents/source-roots.ts';
import type { IngestOptions, IngestPorts } from './ingest-context.ts';
import { performIngest } from './perform-ingest.ts';
import { sourcesToWalk, type IngestSource, type WalkedSource } from './run/scan-sources.ts';
import { ExternalConnector, FailedConnector } from './scan/connectors.ts';

/**
 * Brings the index up to date with the configured sources: walks the wanted ones, takes in what is new or changed, and removes
 * what is gone. A file that fails is an item of the report and stops nothing; a cancelled run finishes the document in flight
 * and reports what it did.
 * Errors: `invalid_input` for an unknown source, `locked`, `readonly_mode`, `io_error` when no root can be walked,
 * `config_invalid` when a source is configured with another root than it was indexed from.
 */
export async function ingestFolder(ports: IngestPorts, options: IngestOptions = {}): Promise<IngestReport> {
  const open = async (store: DocumentStore): Promise<readonly WalkedSource[]> => {
    const wanted = sourcesToWalk(ports.config, await store.indexedRoots(), options.sources);
    const hasExternal = options.sources !== undefined || (await holdsExternal(store, externalRoot(ports.config)));
    const walked = wanted.filter(({ id }) => id !== EXTERNAL || hasExternal);
    return Promise.all(walked.map(async (source) => ({ ...source, connector: await connectorOf(source, ports) })));
  };
  return performIngest(ports, { options, open, hints: null, isWhole: true });
}

/** What walks a source; one whose plugin fails is a source that cannot be walked. */
export async function connectorOf(
  { connectorId }: IngestSource,
  { connectors }: Pick<IngestPorts, 'connectors'>,
): Promise<WalkedSource['connector']> {
  if (connectorId === EXTERNAL) return new ExternalConnector();
  try {
    return await connectors.get(connectorId);
  } catch (error) {
    if (!isKebabError(error, 'plugin_failed') && !isKebabError(error, 'plugin_incompatible')) throw error;
    return new FailedConnector(connectorId, error); // the other sources are walked all the same
  }
}

async function holdsExternal(store: DocumentStore, root: string): Promise<boolean> {
  return existsSync(root) || (await store.knownSources()).includes(EXTERNAL);
}
