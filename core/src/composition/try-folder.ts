import { promises } from 'node:fs';
import path from 'node:path';
import { variableOf } from '../config/key-table.ts';
import type { IngestOptions } from '../ingest/ingest-context.ts';
import type { Mode } from '../domain/query.ts';
import { classifyError } from '../errors/classify-error.ts';
import { KebabError } from '../errors/kebab-error.ts';
import type { BuiltinPlugin } from '../plugin/read-manifest.ts';
import type { ShownPassage } from '../search/show-passages.ts';
import type { IngestReport, SearchResponse } from '../wire/index.ts';
import { builtinsOf, openAppHere, type OpenAppOptions } from './open-app.ts';

/** Options of {@link tryFolder}. */
export interface TryFolderOptions extends OpenAppOptions {
  readonly folder: string;
  readonly question: string;
  readonly k?: number | undefined;
  readonly mode?: Mode | undefined;
  /** Adds the results of each stage. */
  readonly explain?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: IngestOptions['onProgress'];
  /** Called with the ingest report before the search. */
  readonly onIngested?: ((report: IngestReport) => void) | undefined;
  /** Called with the passages of the hits, which cannot be requested afterwards. */
  readonly onPassages?: ((passages: readonly ShownPassage[]) => void) | undefined;
}

/**
 * Searches a folder once: ingests it with default settings into a temporary folder, answers, and removes that folder again, even when
 * cancelled. The user's configuration and knowledge base are not read, and the searched folder is not changed.
 */
export async function tryFolder(options: TryFolderOptions): Promise<SearchResponse> {
  const { environment, question, signal, onProgress } = options;
  const folder = await existingFolder(path.resolve(environment.cwd, options.folder));
  const builtins = await builtinsOf(options);
  const home = await promises.mkdtemp(path.join(environment.tmpDir, 'kebab-try-'));
  try {
    const { plugins, debug, values } = options.flags ?? {};
    const app = await openAppHere({
      ...options,
      flags: { plugins, debug, values },
      environment: {
        cwd: home,
        homeDir: home,
        tmpDir: home,
        env: {
          ...modelVariables(environment, builtins),
          KEBAB_WORKSPACE_ROOT: folder,
          KEBAB_SEARCH_REFRESH: 'off',
          KEBAB_LOG: environment.env['KEBAB_LOG'],
        },
      },
    });
    try {
      const report = await app.ingest({ signal, ...(onProgress === undefined ? {} : { onProgress }) });
      if (report.aborted)
        throw new KebabError('cancelled', 'try was cancelled', { details: { operation: 'try', reason: null } });
      options.onIngested?.(report);
      const { k, mode } = options;
      const response = await app.search({ text: question, k, mode }, { signal, explain: options.explain === true });
      const chunkIds = response.hits.map(({ chunk_id: id }) => id);
      if (options.onPassages !== undefined)
        options.onPassages(await app.showPassages({ query: question, chunkIds }, { signal }));
      return response;
    } finally {
      await app.close();
    }
  } finally {
    await promises.rm(home, { recursive: true, force: true });
  }
}

/** Models that are already on disk are used from there; everything else in the environment is ignored. */
function modelVariables(
  { env, homeDir }: OpenAppOptions['environment'],
  builtins: readonly BuiltinPlugin[],
): Readonly<Record<string, string | undefined>> {
  const data = env['XDG_DATA_HOME'] ?? path.join(homeDir, '.local', 'share');
  const tables = ['models', 'ocr', 'caption', ...builtins.flatMap(({ manifest }) => manifest.section?.name ?? [])];
  const prefixes = tables.filter((name) => !name.startsWith('storage.')).map((name) => `${variableOf(name)}_`);
  const models = Object.entries(env).filter(([name]) => prefixes.some((prefix) => name.startsWith(prefix)));
  return {
    KEBAB_STORAGE_MODEL_DIR: env['KEBAB_STORAGE_MODEL_DIR'] ?? path.join(data, 'kebab', 'models'),
    ...Object.fromEntries(models),
  };
}

async function existingFolder(folder: string): Promise<string> {
  const found = await promises.stat(folder).catch((error: unknown) => {
    throw classifyError(error, { operation: 'try' });
  });
  if (found.isDirectory()) return folder;
  throw new KebabError('io_error', `${folder} is a file, not a folder`, {
    details: { kind: 'ENOTDIR', path: folder, cause: 'not a directory' },
  });
}
