import { existsSync } from 'node:fs';
import type { DocumentStore, DocumentPlace } from '../contracts/document-store.ts';
import type { IngestReport } from '../wire/index.ts';
import { EXTERNAL, externalRoot } from '../documents/source-roots.ts';
import type { IngestOptions, IngestPorts, IngestTask } from './ingest-context.ts';
import { performIngest } from './perform-ingest.ts';
import {
  connectorOf,
  sourcesAsIndexed,
  sourcesToWalk,
  type IngestSource,
  type WalkedSource,
} from './run/scan-sources.ts';
import { withScan } from './scan/connectors.ts';
import type { SourceConnector } from '../contracts/source-connector.ts';

/**
 * Brings the index up to date with the configured sources: walks the requested ones, ingests new and changed files, and purges deleted
 * ones. A failing file is an item of the report and does not stop the run; a cancelled run finishes the document in progress and reports
 * what it did. Errors: `invalid_input` for an unknown source, `locked`, `readonly_mode`, `io_error` when no root can be walked,
 * `config_invalid` when a source is configured with another root than it was indexed from.
 */
export async function ingestFolder(ports: IngestPorts, options: IngestOptions = {}): Promise<IngestReport> {
  const open: IngestTask['open'] = async (store, report, signal): Promise<readonly WalkedSource[]> => {
    const wanted = sourcesToWalk(ports.config, await store.indexedRoots(), options.sources);
    const hasExternal = options.sources !== undefined || (await holdsExternal(store, externalRoot(ports.config)));
    const walked = wanted.filter(({ id }) => id !== EXTERNAL || hasExternal);
    if (options.update === true) await updateClones(walked, { ...ports, report, signal });
    return Promise.all(walked.map(async (source) => ({ ...source, connector: await connectorOf(source, ports) })));
  };
  return performIngest(ports, { options, open, isWhole: true });
}

/** Brings the clones among the sources up to date. One that cannot be stays as it is, which the report says. */
async function updateClones(
  sources: readonly IngestSource[],
  {
    config,
    env,
    report,
    signal,
  }: Pick<IngestPorts, 'config' | 'env'> & {
    readonly report: Parameters<IngestTask['open']>[1];
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const urls = new Map(config.workspace.sources.map(({ id, git }) => [id, git]));
  const failed: string[] = [];
  for (const { id, root } of sources) {
    const url = urls.get(id);
    if (url === undefined || env === undefined) continue;
    const { updateClone } = await import('../git/repository-clone.ts');
    const cause = await updateClone({ url, root }, { env, signal });
    if (cause !== null) failed.push(`${id} stays as it was, because ${url} cannot be fetched: ${cause}`);
  }
  if (failed.length === 0) return;
  const hint = `${failed.join('; ')}; \`kebab ingest\` tries again`;
  report.degrade({ stage: 'update', reason: 'repository_unreachable', hint });
}

async function holdsExternal(store: DocumentStore, root: string): Promise<boolean> {
  return existsSync(root) || (await store.knownSources()).includes(EXTERNAL);
}

/**
 * Reads documents again from their files, where they were indexed from, and gives every document the vectors it lacks. No other document is
 * changed, and none is removed. Without places every file is checked, if it is not indexed.
 */
export async function rereadDocuments(
  ports: IngestPorts,
  places: readonly DocumentPlace[] | null,
  options: IngestOptions = {},
): Promise<IngestReport> {
  const open = async (store: DocumentStore): Promise<readonly WalkedSource[]> => {
    return Promise.all(
      sourcesAsIndexed(ports.config, await store.indexedRoots()).map(async (source) => {
        const connector = await connectorOf(source, ports);
        const paths = places?.filter(({ sourceId }) => sourceId === source.id).map((place) => place.workspacePath);
        return { ...source, connector: paths === undefined ? connector : onlyFiles(connector, new Set(paths)) };
      }),
    );
  };
  return performIngest(ports, { options, open });
}

/** Restricts a connector to some of its files; a source without any of them is not walked. */
function onlyFiles(connector: SourceConnector, paths: ReadonlySet<string>): SourceConnector {
  return withScan(connector, async function* (scope, context) {
    if (paths.size === 0) return;
    for await (const entry of connector.scan(scope, context)) if (paths.has(entry.workspacePath)) yield entry;
  });
}
