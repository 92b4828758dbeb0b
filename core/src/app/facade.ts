import type { App } from './app.ts';
import type { UseCases } from './use-cases.ts';
import { isAbort } from '../errors/abort.ts';
import { classifyError } from '../errors/classify-error.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';

/** What the facade is made of. */
export interface FacadeInit {
  readonly useCases: UseCases;
  readonly notices: () => readonly string[];
  readonly readonly: boolean;
  readonly close: () => Promise<void>;
}

/**
 * Puts one face on all use cases. Whatever they throw leaves as a `KebabError`; what writes is refused in read-only mode
 * before anything happens.
 */
export function createFacade({ useCases, notices, readonly, close }: FacadeInit): App {
  const writing = (command: string): void => {
    if (!readonly) return;
    throw new KebabError('readonly_mode', `kebab ${command} writes, and this is read-only mode`, {
      details: { command },
    });
  };
  return {
    get notices() {
      return notices();
    },
    search: (query, options) => guarded('search', async () => (await useCases.search()).search(query, options)),
    bulkSearch: (queries, options) =>
      guardedItems('bulk search', async () => {
        const { bulkSearch } = await import('../search/bulk-search.ts');
        const search = await useCases.search();
        return bulkSearch((query, each) => search.search(query, each), queries, options);
      }),
    ask: (request, options) =>
      guarded('ask', async () => {
        if (request.session !== undefined) writing('ask --session');
        return (await useCases.ask()).ask(request, options);
      }),
    listSessions: () => guarded('sessions list', async () => (await useCases.sessions()).list()),
    showSession: (name) => guarded('sessions show', async () => (await useCases.sessions()).show(name)),
    deleteSession: (name) =>
      guarded('sessions delete', async () => {
        writing('sessions delete');
        return (await useCases.sessions()).remove(name);
      }),
    fetch: (query, options) => guarded('fetch', async () => (await useCases.fetch()).fetch(query, options)),
    snap: (query, options) => guarded('snap', async () => (await useCases.snap()).snap(query, options)),
    locate: (query, options) => guarded('open', async () => (await useCases.locate()).locate(query, options)),
    verifyCitation: (uri, options) =>
      guarded('cite verify', async () => (await useCases.verify()).verify(uri, options)),
    ingest: (options = {}) =>
      guarded('ingest', async () => {
        writing('ingest');
        return (await useCases.ingest()).run(options);
      }),
    ingestFile: (file, options = {}) =>
      guarded('ingest-file', async () => {
        writing('ingest-file');
        return (await useCases.external()).ingestFile(file, options);
      }),
    ingestText: (content, meta, options = {}) =>
      guarded('ingest-stdin', async () => {
        writing('ingest-stdin');
        return (await useCases.external()).ingestText(content, meta, options);
      }),
    listDocs: (filters, page, options) =>
      guarded('list docs', async () => (await useCases.list()).list(filters, page, options)),
    inspectDoc: (id, options) => guarded('inspect doc', async () => (await useCases.inspect()).document(id, options)),
    inspectChunk: (id, options) => guarded('inspect chunk', async () => (await useCases.inspect()).chunk(id, options)),
    resolveId: (kind, text) => guarded('lookup', () => useCases.resolveId(kind, text)),
    doctor: (options) => guarded('doctor', () => useCases.diagnose(options)),
    schema: (options) => guarded('schema', async () => (await useCases.describe()).describe(options)),
    init: (options = {}) =>
      guarded('init', async () => {
        writing('init');
        return useCases.init({ force: options.force === true });
      }),
    reset: (scope, options) =>
      guarded('reset', async () => {
        writing('reset');
        return useCases.reset(scope, options);
      }),
    modelList: () => guarded('models list', async () => (await useCases.models()).list()),
    modelPull: (model, options) =>
      guarded('models pull', async () => {
        writing('models pull');
        return (await useCases.models()).pull(model, options);
      }),
    copyVectors: (request, options) =>
      guarded('vectors copy', async () => {
        writing('vectors copy');
        return useCases.copyVectors(request, options);
      }),
    evalRun: (request, options) =>
      guarded('eval run', async () => {
        writing('eval run');
        return (await useCases.evaluation()).run(request, options);
      }),
    evalAggregate: (runId) => guarded('eval aggregate', async () => (await useCases.evaluation()).aggregate(runId)),
    evalCompare: (a, b, options) =>
      guarded('eval compare', async () => {
        if (options?.writeReport === true) writing('eval compare --write-report');
        return (await useCases.evaluation()).compare(a, b, options);
      }),
    trust: (request) =>
      guarded('trust', async () => {
        if (request.kind !== 'list') writing('trust');
        return useCases.trust(request);
      }),
    configView: () => guarded('config show', useCases.configView),
    configPaths: () => guarded('config path', useCases.configPaths),
    pluginList: () => guarded('plugin list', useCases.pluginList),
    pluginExplain: (path) => guarded('plugin explain', () => useCases.pluginExplain(path)),
    pluginDoctor: (options) => guarded('plugin doctor', () => useCases.pluginDoctor(options)),
    close,
  };
}

/** Runs one use case; every failure leaves as a `KebabError`, an abort as `cancelled`. */
async function guarded<T>(operation: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw asKebabError(error, operation);
  }
}

async function* guardedItems<T>(operation: string, open: () => Promise<AsyncIterable<T>>): AsyncGenerator<T> {
  try {
    yield* await open();
  } catch (error) {
    throw asKebabError(error, operation);
  }
}

function asKebabError(error: unknown, operation: string): KebabError {
  if (isKebabError(error)) return error;
  return isAbort(error)
    ? new KebabError('cancelled', `${operation} was cancelled`, { details: { operation, reason: null }, cause: error })
    : classifyError(error, { operation });
}
