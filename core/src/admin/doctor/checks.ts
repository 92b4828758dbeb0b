import { accessSync, constants, statfsSync, statSync, type StatsFs } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isReadableFolder } from '../../documents/locate-file.ts';
import { absent, checkOf, type DoctorContext, failed, fine, type Outcome, unavailable, type Check } from './outcome.ts';
import { failedFiles } from '../failed-files.ts';
import { checkEmbeddingModel, checkEmbeddings, checkLlm, checkLlmModel } from './model-checks.ts';
import { crashLimits, switchedOffPlugins } from '../plugin-doctor.ts';
import type { QuarantinedFile } from '../../contracts/document-store.ts';
import { describeOrphans, findOrphans } from '../../documents/orphans.ts';
import { allDocuments } from '../../documents/open-store.ts';
import {
  describeMoved,
  EXTERNAL,
  hasMoved,
  remedyForMissing,
  type IndexedRoots,
  type SourceRoot,
  sourceRoots,
} from '../../documents/source-roots.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import type { PluginReport } from '../../plugin/find-plugins.ts';
import type { AbortOptions } from '../../contracts/contribution.ts';
import { throwIfCancelled } from '../../errors/abort.ts';
import type { Doctor, DoctorCheck } from '../../wire/index.ts';

/** Which optional parts are installed, and the commands for the others. */
export const checkParts = checkOf('optional_parts', ({ parts = [] }) => {
  const missing = parts.filter((part) => !part.isPresent());
  if (missing.length === 0) return fine(parts.map(({ name }) => name).join(', '));
  return absent(
    `not installed: ${missing.map(({ name, summary }) => `${name} (${summary})`).join(', ')}`,
    missing.map(({ name }) => `\`kebab plugin install ${name}\``).join(', '),
  );
});

/** How many documents appear to contain secrets, if the check for secrets is enabled. */
export const checkSecrets = checkOf('secrets_in_documents', async ({ resolution, ports }) => {
  const { secrets } = resolution.config.indexing;
  if (secrets === 'allow') return fine('not looked for (indexing.secrets)');
  if (secrets === 'skip') return fine('files that hold some are left out (indexing.secrets)');
  try {
    let count = 0;
    for await (const { fingerprints } of allDocuments(await ports.documents.read()))
      if (fingerprints.hasSecrets) count++;
    return fine(`${count} ${count === 1 ? 'document' : 'documents'} with some, which are redacted`);
  } catch (error) {
    if (isKebabError(error, 'not_indexed')) return fine('nothing is indexed yet');
    throw error;
  }
});

/** Which configuration files are in effect. */
export const checkConfigLoaded = checkOf('config_loaded', ({ resolution: { files, failure } }) => {
  if (failure !== undefined) return failed(`${failure.message}; the other checks look at the defaults`, failure.hint);
  const loaded = files.filter((file) => file.exists).map(({ path }) => path);
  return fine(loaded.length === 0 ? `defaults; there is no ${files[0]?.path ?? 'file'}` : loaded.join(', '));
});

/** Whether all settings of the project file take effect. */
export const checkConfigTrusted = checkOf('config_trusted', ({ resolution: { files } }) => {
  const [, project] = files;
  if (project === undefined) return fine('no project file');
  if (project.trusted) return fine(project.path);
  if (project.ignored.length === 0)
    return fine(`${project.path} is not trusted, and contains nothing that needs trust`);
  const ignored = `${project.path} is not trusted: ${project.ignored.join(', ')} ignored`;
  return failed(ignored, `kebab trust ${project.path}`);
});

/** Whether the configured location of the index is writable. */
export const checkDataDir = checkOf('data_dir_writable', ({ resolution }) => {
  const { dataDir } = resolution.config.storage;
  return isFolder(dataDir) ? writable(dataDir, dataDir) : creatable(dataDir);
});

function creatable(dataDir: string): Outcome {
  let folder = dirname(dataDir);
  while (!exists(folder) && folder !== dirname(folder)) folder = dirname(folder);
  if (exists(dataDir))
    return failed(`${dataDir} is not a folder`, 'name another with storage.data_dir, then `kebab init`');
  return writable(folder, `${dataDir} (not created yet)`);
}

function writable(folder: string, detail: string): Outcome {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = (error as { readonly code?: string }).code ?? String(error);
    const hint =
      why === 'EROFS'
        ? 'the file system is mounted read-only: name another folder with storage.data_dir'
        : `chmod u+wx ${folder}`;
    return failed(`${folder} cannot be written (${why})`, hint);
  }
  return roomOn(fileSystemOf(folder), detail);
}

/** Null when the system does not report it. */
function fileSystemOf(folder: string): StatsFs | null {
  try {
    return statfsSync(folder);
  } catch {
    return null;
  }
}

/** The space that the journal of the database may need: with less, an ingest will probably fail half-way. */
const MIN_ROOM = 64 * 1_048_576;

/** The outcome for a writable folder, depending on the free space of its file system, given in blocks. */
export function roomOn(found: Pick<StatsFs, 'blocks' | 'bavail' | 'bsize'> | null, detail: string): Outcome {
  // Some network file systems do not report a size.
  if (found === null || found.blocks === 0 || found.bavail * found.bsize >= MIN_ROOM) return fine(detail);
  const megabytes = Math.floor((found.bavail * found.bsize) / 1_048_576);
  return failed(
    `${detail}: its disk has ${megabytes} MiB left`,
    'free some disk space, or name another folder with storage.data_dir',
  );
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Whether the database can be opened and is intact. */
export const checkSqlite = checkOf('sqlite_open', async ({ ports, deep }) => {
  const store = await ports.documents.read();
  const problems = await store.checkIntegrity({ deep });
  const detail = `${basename(store.location)} (schema v${store.schemaVersion})`;
  if (problems.length === 0) return fine(detail);
  return failed(`${detail}: ${problems.join('; ')}`, 'kebab repair');
});

/** Whether the configured vector store can be opened, is intact, and suits its contents. */
export const checkVectorStore = checkOf('vector_store_open', async (context) => {
  const { vectorStore } = context.resolution.config.storage;
  if (context.resolution.config.models.embedding.provider === 'none') return fine('disabled');
  if (!context.ports.vectorStores.names().some(({ id }) => id === vectorStore))
    return unavailable(context, 'storage.vector_store', vectorStore);
  const store = await context.ports.vectorStores.get(vectorStore, 'read');
  const collections = await store.listCollections();
  const problems = (await store.checkIntegrity?.()) ?? [];
  if (problems.length > 0) return failed(`${vectorStore}: ${problems.join('; ')}`, 'kebab repair');
  const advice = (await store.advise?.()) ?? null;
  if (advice !== null) return absent(`${vectorStore}: ${advice.detail}`, advice.hint);
  return fine(collections.length === 0 ? `${vectorStore} (no vectors yet)` : vectorStore);
});

const SHOWN_FILES = 5;

/** Whether every folder can be read, and which files could not be indexed. */
export const checkSourceRoots = checkOf('source_roots', async (context) => {
  if (context.resolution.failure !== undefined)
    // the default folders are not the user's folders
    return fine(['not known while the configuration cannot be used', ...(await quarantine(context))].join('; '));
  const roots = sourceRoots(context.resolution.config, await indexedRoots(context));
  const sources = [...roots.values()].filter(({ id }) => id !== EXTERNAL);
  const folders = sources.filter(({ connector }) => connector === 'fs');
  const unreadable = folders.filter(({ root }) => !isReadableFolder(root));
  const summary = `${sources.length - unreadable.length} of ${sources.length} readable`;
  const detail = [summary, ...(await quarantine(context))].join('; ');
  const differing = sources.filter(hasMoved).map(describeMoved);
  if (unreadable.length === 0 && differing.length > 0)
    return failed(
      [detail, ...differing.map(({ what }) => what)].join('; '),
      [...new Set(differing.map(({ remedy }) => remedy))].join('; '),
    );
  if (unreadable.length === 0) return fine(detail);
  if (isUntouched(context, unreadable) && sources.length === 1) return absent('no folder yet', 'kebab add FOLDER');
  return failed(
    `${detail}; missing: ${unreadable.map(nameOf).join(', ')}`,
    [...new Set(unreadable.map(remedyForMissing))].join('; '),
  );
});

/** Whether the missing folder is the default one. */
function isUntouched({ resolution }: DoctorContext, [missing]: readonly SourceRoot[]): boolean {
  const { workspace } = resolution.config;
  return workspace.isRootSet !== true && missing?.root === workspace.root;
}

/** As recorded in the database, which has a check of its own. */
async function indexedRoots({ ports }: DoctorContext): Promise<IndexedRoots> {
  try {
    return await (await ports.documents.read()).indexedRoots();
  } catch {
    return new Map();
  }
}

function nameOf({ id, root }: SourceRoot): string {
  return `${root} (source ${id})`;
}

/** The files that recent runs could not index; the database has a check of its own. */
async function quarantine({ ports, resolution }: DoctorContext): Promise<readonly string[]> {
  let files: readonly QuarantinedFile[];
  try {
    const store = await ports.documents.read();
    // With an unusable configuration the sources are unknown.
    files = resolution.failure === undefined ? await failedFiles(store, resolution.config) : await store.quarantined();
  } catch {
    return [];
  }
  if (files.length === 0) return [];
  const shown = files.slice(0, SHOWN_FILES).map(describe);
  const rest = files.length - shown.length;
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  return [`${count} could not be indexed`, ...shown, ...(rest === 0 ? [] : [`and ${rest} more`])];
}

function describe({ workspacePath, reason, agent, attempts }: QuarantinedFile): string {
  const why = reason.startsWith(`${workspacePath} `) ? reason.slice(workspacePath.length + 1) : reason;
  return `${workspacePath}: ${why} (${agent}, ${attempts === 1 ? '1 attempt' : `${attempts} attempts`})`;
}

/** Whether every requested plugin runs. */
export const checkPlugins = checkOf('plugins_loaded', async ({ plugins, ports }) => {
  const reports = plugins();
  const broken = reports.filter(({ state }) => state === 'failed' || state === 'incompatible');
  if (broken.length > 0) return failed(broken.map(describeReport).join('; '), 'see `kebab plugin list`');
  const off = await switchedOff(ports, crashLimits(reports));
  if (off.length > 0) return failed(off.join('; '), 'update them, or try again with `kebab ingest --force-reingest`');
  const further = reports.filter(({ origin, state }) => origin !== 'builtin' && state === 'active');
  const active =
    further.length === 0 ? 'built-ins only' : `built-ins and ${further.map(({ name }) => name).join(', ')}`;
  const orphans = await orphansIn(ports);
  return orphans === null ? fine(active) : absent(`${active}; ${orphans.what}`, orphans.remedy);
});

/** The database has a check of its own. */
async function orphansIn(ports: DoctorContext['ports']): Promise<ReturnType<typeof describeOrphans>> {
  try {
    return describeOrphans(await findOrphans(await ports.documents.read(), ports));
  } catch {
    return null;
  }
}

function describeReport({ name, state, reason }: PluginReport): string {
  return `${name} ${state}${reason === null ? '' : `: ${reason}`}`;
}

/** The database has a check of its own; without one nothing has crashed. */
async function switchedOff(
  ports: DoctorContext['ports'],
  limits: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  if (limits.size === 0) return [];
  try {
    return switchedOffPlugins(await (await ports.documents.read()).quarantined(), limits);
  } catch {
    return [];
  }
}

/** The checks, in report order. */
export const CHECKS: readonly Check[] = [
  checkConfigLoaded,
  checkConfigTrusted,
  checkDataDir,
  checkSqlite,
  checkVectorStore,
  checkEmbeddingModel,
  checkEmbeddings,
  checkLlm,
  checkLlmModel,
  checkSourceRoots,
  checkSecrets,
  checkPlugins,
];

/**
 * Checks everything kebab depends on and changes nothing. Every check runs, whatever the others find; a check that throws fails with the
 * error it threw. A stage that is disabled, or that is neither provided by a plugin nor configured, is healthy and says so; one that is
 * configured but provided by no plugin is not.
 */
export async function diagnose(context: DoctorContext, options: AbortOptions = {}): Promise<Doctor> {
  const checks: DoctorCheck[] = [];
  for (const check of CHECKS) {
    throwIfCancelled(options.signal, 'doctor');
    checks.push(await check(context));
  }
  if ((context.parts?.length ?? 0) > 0) checks.push(await checkParts(context));
  return { schema_version: 'doctor.v1', ok: checks.every(({ ok }) => ok), checks };
}
