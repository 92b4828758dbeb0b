import { accessSync, constants, statfsSync, statSync, type StatsFs } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { ConfigResolution } from '../config/resolve-config.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore, QuarantinedFile, SharedEmbeddingsFound } from '../contracts/document-store.ts';
import type { LanguageModel } from '../contracts/language-model.ts';
import { databaseFile, hasNoVectors } from '../config/resolved-config.ts';
import { isReadableFolder } from '../documents/locate-file.ts';
import { allDocuments } from '../documents/open-store.ts';
import { describeOrphans, findOrphans } from '../documents/orphans.ts';
import {
  DEFAULT_SOURCE,
  describeMoved,
  EXTERNAL,
  hasMoved,
  remedyForMissing,
  type IndexedRoots,
  type SourceRoot,
  sourceRoots,
} from '../documents/source-roots.ts';
import { compileReadRules } from '../domain/read-rule.ts';
import { fingerprintOf } from '../domain/policy-hash.ts';
import { isAbort, throwIfCancelled } from '../errors/abort.ts';
import { nearestName } from '../errors/invalid-input.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { PluginReport } from '../plugin/find-plugins.ts';
import type { Ports } from '../ports.ts';
import type { Doctor, DoctorCheck } from '../wire/index.ts';
import { chatEndpoint } from './chat-endpoint.ts';
import { describeFailed, describePartlyRead, failedFiles } from './failed-files.ts';
import { formatsHint } from '../documents/unread-formats.ts';
import type { OptionalPart } from './installing/plugin-folder.ts';
import { crashLimits, switchedOffPlugins } from './plugin-doctor.ts';
import type { FolderChanges } from './status.ts';

/** The inputs of the checks. */
export interface DoctorContext {
  readonly resolution: Pick<ConfigResolution, 'config' | 'origins' | 'files' | 'notices' | 'failure'>;
  readonly ports: Pick<
    Ports,
    'documents' | 'lexicalIndex' | 'extractors' | 'embedders' | 'vectorStores' | 'languageModels'
  >;
  /** The optional parts of kebab, according to its host. */
  readonly parts?: readonly OptionalPart[];
  /** The short names of kebab's own plugins that may be installed, which are the extensions of their files. */
  readonly formats?: readonly string[];
  /** Finds what an ingest leaves out of the folders. */
  readonly findLeftOut?: (store: DocumentStore) => Promise<Pick<FolderChanges, 'leftOut' | 'unsupported'>>;
  /** The state of every plugin. */
  readonly plugins: () => readonly PluginReport[];
  /** Whether to read every text and every block of the database. */
  readonly deep?: boolean | undefined;
}

/** The outcome of a check: fine, with a detail; absent but optional, with how to get it; or failed, with the remedy. */
type Outcome =
  | { readonly ok: true; readonly detail: string }
  | { readonly ok: true; readonly optional: true; readonly detail: string; readonly hint: string }
  | { readonly ok: false; readonly detail: string; readonly hint: string };

/** One check; an error that it throws is a failure with the error's message and hint. */
interface Check {
  readonly name: string | ((context: DoctorContext) => string);
  readonly find: (context: DoctorContext) => Outcome | Promise<Outcome>;
}

/** The checks, in report order. */
export const CHECKS: readonly Check[] = [
  { name: 'config_loaded', find: checkConfigLoaded },
  { name: 'config_trusted', find: checkConfigTrusted },
  { name: 'data_dir_writable', find: checkDataDir },
  { name: (context) => (isInFile(context) ? 'sqlite_open' : 'database_open'), find: checkDatabase },
  { name: 'vector_store_open', find: checkVectorStore },
  { name: 'embedding_model', find: checkEmbeddingModel },
  { name: 'embeddings_complete', find: checkEmbeddings },
  { name: (context) => (isOllama(context) ? 'ollama_reachable' : 'llm_reachable'), find: checkLlm },
  { name: (context) => (isOllama(context) ? 'ollama_model_pulled' : 'llm_model'), find: checkLlmModel },
  { name: 'source_roots', find: checkFolders },
  { name: 'secrets_in_documents', find: checkSecrets },
  { name: 'plugins_loaded', find: checkPlugins },
];

/**
 * Checks everything kebab depends on and changes nothing. Every check runs, whatever the others find. A stage that is disabled, or that is
 * neither provided by a plugin nor configured, is healthy and says so; one that is configured but provided by no plugin is not.
 */
export async function diagnose(context: DoctorContext, options: AbortOptions = {}): Promise<Doctor> {
  const checks: DoctorCheck[] = [];
  const { access, storage } = context.resolution.config;
  const further: readonly (Check | false)[] = [
    access.rules.length > 0 && { name: 'access_rules', find: checkRules },
    storage.lexicalIndex !== '' && { name: 'words_complete', find: checkWords },
    (context.parts?.length ?? 0) > 0 && { name: 'optional_parts', find: checkParts },
  ];
  for (const { name, find } of [...CHECKS, ...further.filter((check) => check !== false)]) {
    throwIfCancelled(options.signal, 'doctor');
    const outcome = saidOnce(await outcomeOf(find, context), checks);
    checks.push({ name: typeof name === 'string' ? name : name(context), ...outcome });
  }
  return { schema_version: 'doctor.v1', ok: checks.every(({ ok }) => ok), checks };
}

async function outcomeOf(find: Check['find'], context: DoctorContext): Promise<Outcome> {
  try {
    return await find(context);
  } catch (error) {
    if (isAbort(error) || isKebabError(error, 'cancelled')) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return failed(message, isKebabError(error) ? error.hint : 'run `kebab doctor --verbose`');
  }
}

/** A failure with which several checks end is said once, with its remedy. */
function saidOnce(outcome: Outcome, before: readonly DoctorCheck[]): Outcome {
  const same = before.find(({ ok, detail }) => !ok && detail === outcome.detail);
  return outcome.ok || same === undefined ? outcome : failed('not known', `see ${same.name}`);
}

/** Everything is as it should be. */
function fine(detail: string): Outcome {
  return { ok: true, detail };
}

/** An optional part is absent; `hint` says how to get it. */
function absent(detail: string, hint: string): Outcome {
  return { ok: true, optional: true, detail, hint };
}

/** Something is wrong; `hint` names a command or a key. */
function failed(detail: string, hint: string): Outcome {
  return { ok: false, detail, hint };
}

/** Unless a key of its section is set, a problem with a stage that search can do without is an absence and not a failure. */
async function optionalUnlessSet(
  context: DoctorContext,
  section: string,
  find: () => Promise<Outcome>,
): Promise<Outcome> {
  if ([...context.resolution.origins.keys()].some((key) => key.startsWith(`${section}.`))) return find();
  const outcome = await outcomeOf(find, context);
  return outcome.ok ? outcome : absent(outcome.detail, outcome.hint);
}

/**
 * The outcome for a configured stage that no active plugin provides; null for one that is provided. A default value was not
 * requested explicitly, so that is not a failure.
 */
function unprovided(
  { resolution }: DoctorContext,
  key: string,
  { value, names }: { readonly value: string; readonly names: readonly { readonly id: string }[] },
): Outcome | null {
  if (names.some(({ id }) => id === value)) return null;
  if (!resolution.origins.has(key)) return fine('not available in this build');
  return failed(`${key} is "${value}", which no active plugin provides`, 'see `kebab plugin list`');
}

/** Which optional parts are installed, and the commands for the others. */
function checkParts({ parts = [] }: DoctorContext): Outcome {
  const missing = parts.filter((part) => !part.isPresent());
  if (missing.length === 0) return fine(parts.map(({ name }) => name).join(', '));
  return absent(
    `not installed: ${missing.map(({ name, summary }) => `${name} (${summary})`).join(', ')}`,
    missing.map(({ name }) => `\`kebab plugin install ${name}\``).join(', '),
  );
}

/** Whether each rule of access can decide about any document: one that cannot is misspelt, and what it should protect is not protected. */
async function checkRules(context: DoctorContext): Promise<Outcome> {
  const { resolution, ports } = context;
  const { config } = resolution;
  const { rules } = config.access;
  const indexed = await fromStore(ports, (store) => store.knownSources(), []);
  const sources = [...new Set([...sourceRoots(config, NO_ROOTS).keys(), ...indexed, DEFAULT_SOURCE, EXTERNAL])];
  const problems = rules.flatMap(({ source, path }, at) => {
    const suggestion = nearestName(source, sources);
    const asked = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
    if (source !== '' && !sources.includes(source))
      return [`rule ${at + 1} names the source "${source}", which does not exist${asked}`];
    const isPrefixed = sources.find((id) => path.startsWith(`${id}:`));
    if (isPrefixed !== undefined) return [`rule ${at + 1} has the source in its path: write source = "${isPrefixed}"`];
    const before = rules.findIndex((other) => other.path === '**' && (other.source === '' || other.source === source));
    return before === -1 || before >= at
      ? []
      : [`rule ${at + 1} never decides, since rule ${before + 1} fits all of its documents`];
  });
  const unfit = problems.length === 0 ? await unfitRules(context) : [];
  if (unfit.length > 0)
    return absent(
      `no document fits ${unfit.map((at) => `rule ${at}`).join(', ')}`,
      'see the paths with `kebab list docs`',
    );
  if (problems.length === 0) return fine(rules.length === 1 ? '1 rule' : `${rules.length} rules`);
  return failed(
    problems.join('; '),
    'correct [[access.rules]] in the configuration: the first rule that fits a document decides',
  );
}

/** The numbers of the rules that fit no document; none while there are no documents. */
async function unfitRules({ resolution, ports }: DoctorContext): Promise<readonly number[]> {
  const rules = resolution.config.access.rules.map(({ source, path }) => ({
    source: source || undefined,
    path,
    isAllowed: true,
  }));
  const unfit = new Map(rules.map((rule, at) => [at + 1, compileReadRules([rule])]));
  const isEmpty = await fromStore(
    ports,
    async (store) => {
      for await (const { sourceId, workspacePath } of allDocuments(store))
        for (const [at, fits] of unfit) if (fits(sourceId, workspacePath)) unfit.delete(at);
      return (await store.documentCount()) === 0;
    },
    true,
  );
  return isEmpty ? [] : [...unfit.keys()];
}

/** Whether an index on a server has the words of all documents. */
async function checkWords({ resolution: { config }, ports }: DoctorContext): Promise<Outcome> {
  const id = config.storage.lexicalIndex;
  const index = await ports.lexicalIndex.read();
  if ((await index.isCurrent?.()) === false)
    return failed(`${id}: the words of some documents are missing`, 'kebab ingest');
  return fine(id);
}

/** How many documents appear to contain secrets, if the check for secrets is enabled. */
async function checkSecrets({ resolution, ports }: DoctorContext): Promise<Outcome> {
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
}

/** Which configuration files are in effect. */
function checkConfigLoaded({ resolution: { files, failure } }: DoctorContext): Outcome {
  if (failure !== undefined) return failed(`${failure.message}; the other checks look at the defaults`, failure.hint);
  const loaded = files.filter((file) => file.exists).map(({ path }) => path);
  return fine(loaded.length === 0 ? `defaults; there is no ${files[0]?.path ?? 'file'}` : loaded.join(', '));
}

/** Whether all settings of the project file take effect. */
function checkConfigTrusted({ resolution: { files } }: DoctorContext): Outcome {
  const [, project] = files;
  if (project === undefined) return fine('no project file');
  if (project.trusted) return fine(project.path);
  if (project.ignored.length === 0)
    return fine(`${project.path} is not trusted, and contains nothing that needs trust`);
  const ignored = `${project.path} is not trusted: ${project.ignored.join(', ')} ignored`;
  return failed(ignored, `kebab trust ${project.path}`);
}

/** Whether the configured location of the index is writable. */
function checkDataDir({ resolution }: DoctorContext): Outcome {
  const { dataDir } = resolution.config.storage;
  return isFolder(dataDir) ? writable(dataDir, dataDir) : creatable(dataDir);
}

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
export function roomOn(fileSystem: Pick<StatsFs, 'blocks' | 'bavail' | 'bsize'> | null, detail: string): Outcome {
  // Some network file systems do not report a size.
  if (fileSystem === null || fileSystem.blocks === 0 || fileSystem.bavail * fileSystem.bsize >= MIN_ROOM)
    return fine(detail);
  const megabytes = Math.floor((fileSystem.bavail * fileSystem.bsize) / 1_048_576);
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
async function checkDatabase(context: DoctorContext): Promise<Outcome> {
  const { ports, deep } = context;
  const store = await ports.documents.read();
  const problems = await store.checkIntegrity({ deep });
  const place = isInFile(context) ? basename(store.location) : store.location;
  const detail = `${place} (schema v${store.schemaVersion})`;
  if (problems.length === 0) return fine(detail);
  const remedy = store.repair === undefined ? 'restore the database from a backup of its server' : 'kebab repair';
  return failed(`${detail}: ${problems.join('; ')}`, remedy);
}

function isInFile({ resolution }: DoctorContext): boolean {
  return databaseFile(resolution.config) !== null;
}

/** Whether the configured vector store can be opened, is intact, and suits its contents. */
async function checkVectorStore(context: DoctorContext): Promise<Outcome> {
  const { storage, models } = context.resolution.config;
  if (models.embedding.provider === 'none') return fine('disabled');
  const { vectorStores } = context.ports;
  const id = storage.vectorStore;
  const missing = unprovided(context, 'storage.vector_store', { value: id, names: vectorStores.names() });
  if (missing !== null) return missing;
  if (!isInFile(context) && !context.resolution.origins.has('storage.vector_store'))
    return absent('no vectors: the documents are on a server', 'kebab config set storage.vector_store qdrant');
  const store = await vectorStores.get(id, 'read');
  const collections = await store.listCollections();
  const problems = (await store.checkIntegrity?.()) ?? [];
  if (problems.length > 0) return failed(`${id}: ${problems.join('; ')}`, 'kebab repair');
  const written = await fromStore(context.ports, ({ vectors }) => vectors.collections(), []);
  for (const { collection, committed } of written) {
    const held = (await store.count(collection)) ?? 0;
    if (held < committed) return failed(`${id}: it holds ${held} of ${committed} vectors`, 'kebab ingest');
  }
  const advice = (await store.advise?.()) ?? null;
  if (advice !== null) return absent(`${id}: ${advice.detail}`, advice.hint);
  return fine(collections.length === 0 ? `${id} (no vectors yet)` : id);
}

const SHOWN_FILES = 5;

const NO_ROOTS: IndexedRoots = new Map();

/** Whether every folder can be read, and which files could not be indexed. */
async function checkFolders(context: DoctorContext): Promise<Outcome> {
  if (context.resolution.failure !== undefined)
    // the default folders are not the user's folders
    return fine(['not known while the configuration cannot be used', ...(await quarantine(context))].join('; '));
  const roots = sourceRoots(
    context.resolution.config,
    await fromStore(context.ports, (store) => store.indexedRoots(), NO_ROOTS),
  );
  const sources = [...roots.values()].filter(({ id }) => id !== EXTERNAL);
  const folders = sources.filter(({ connector }) => connector === 'fs');
  const unreadable = folders.filter(({ root }) => !isReadableFolder(root));
  const summary = `${sources.length - unreadable.length} of ${sources.length} readable`;
  const detail = [summary, ...(await quarantine(context)), ...(await leftOut(context))].join('; ');
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
}

/** Whether the missing folder is the default one. */
function isUntouched({ resolution }: DoctorContext, [missing]: readonly SourceRoot[]): boolean {
  const { workspace } = resolution.config;
  return workspace.isRootSet !== true && missing?.root === workspace.root;
}

/** What the database says; `otherwise` if it cannot be read, because it has a check of its own. */
async function fromStore<T>(
  { documents }: DoctorContext['ports'],
  read: (store: DocumentStore) => Promise<T>,
  otherwise: T,
): Promise<T> {
  try {
    return await read(await documents.read());
  } catch {
    return otherwise;
  }
}

function nameOf({ id, root }: SourceRoot): string {
  return `${root} (source ${id})`;
}

const NOTHING_LEFT_OUT = { leftOut: [], unsupported: {} };

/** The files that an ingest leaves out for what they are, with the commands that say why and that change it. */
async function leftOut({ ports, findLeftOut, formats = [] }: DoctorContext): Promise<readonly string[]> {
  if (findLeftOut === undefined) return [];
  const left = await fromStore(ports, findLeftOut, NOTHING_LEFT_OUT);
  const hint = formatsHint(left.unsupported, formats);
  const { length } = left.leftOut;
  const shown = left.leftOut.slice(0, SHOWN_FILES).join(', ');
  const count = length === 1 ? '1 file is' : `${length} files are`;
  const more = length > SHOWN_FILES ? ` and ${length - SHOWN_FILES} more` : '';
  return [
    ...(length === 0 ? [] : [`${count} left out (${shown}${more}): kebab list docs --skipped`]),
    ...(hint === null ? [] : [hint]),
  ];
}

/** The files that recent runs could not index, and those of which something was not read. */
async function quarantine({ ports, resolution }: DoctorContext): Promise<readonly string[]> {
  // With an unusable configuration the sources are unknown.
  const isKnown = resolution.failure === undefined;
  const files = await fromStore<readonly QuarantinedFile[]>(
    ports,
    (store) => (isKnown ? failedFiles(store, resolution.config) : store.quarantined()),
    [],
  );
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  const partly = await fromStore(ports, (store) => describePartlyRead(store, resolution.config), []);
  return [...(files.length === 0 ? [] : [`${count} could not be indexed`, ...describeFailed(files)]), ...partly];
}

/** Whether every requested plugin runs. */
async function checkPlugins({ plugins, ports }: DoctorContext): Promise<Outcome> {
  const reports = plugins();
  const broken = reports.filter(({ state }) => state === 'failed' || state === 'incompatible');
  if (broken.length > 0) return failed(broken.map(describeReport).join('; '), 'see `kebab plugin list`');
  const limits = crashLimits(reports);
  const off =
    limits.size === 0
      ? []
      : await fromStore(ports, async (store) => switchedOffPlugins(await store.quarantined(), limits), []);
  if (off.length > 0) return failed(off.join('; '), 'update them, or try again with `kebab ingest --force-reingest`');
  const further = reports.filter(({ origin, state }) => origin !== 'builtin' && state === 'active');
  const active =
    further.length === 0 ? 'built-ins only' : `built-ins and ${further.map(({ name }) => name).join(', ')}`;
  const orphans = await fromStore(ports, async (store) => describeOrphans(await findOrphans(store, ports)), null);
  return orphans === null ? fine(active) : absent(`${active}; ${orphans.what}`, orphans.remedy);
}

function describeReport({ name, state, reason }: PluginReport): string {
  return `${name} ${state}${reason === null ? '' : `: ${reason}`}`;
}

const EMBEDDING = 'models.embedding';
const LLM = 'models.llm';

/** Whether the embedding model is available. */
async function checkEmbeddingModel(context: DoctorContext): Promise<Outcome> {
  const missing = withoutEmbedder(context);
  if (missing !== null) return missing;
  return optionalUnlessSet(context, EMBEDDING, async () => {
    const { provider } = context.resolution.config.models.embedding;
    const embedder = await context.ports.embedders.get(provider);
    await embedder.probe?.();
    return fine(`${embedder.modelId} (${embedder.dimensions}d)`);
  });
}

/** Whether every document has vectors of the current model. */
async function checkEmbeddings(context: DoctorContext): Promise<Outcome> {
  const missing = withoutEmbedder(context);
  if (missing !== null) return missing.ok ? missing : fine('nothing embeds');
  if (hasNoVectors(context.resolution.config)) return fine('nothing embeds');
  // Without a model there is nothing to embed with: the check of the model gives the first step.
  const model = await outcomeOf(checkEmbeddingModel, context);
  if ('optional' in model)
    return absent('no vectors; documents are found by their words', 'kebab models pull, then kebab ingest');
  const { provider } = context.resolution.config.models.embedding;
  const fingerprint = fingerprintOf(await context.ports.embedders.get(provider));
  const store = await context.ports.documents.read();
  const pending = fingerprint === null ? 0 : await store.vectors.countDocumentsWithout(fingerprint);
  const foreign = pending === 0 ? 0 : pending - (await store.vectors.countDocumentsWithout(null));
  if (pending === 0) return fine(`0 pending${sharedWith(await store.sharedEmbeddings?.())}`);
  const detail = `${pending} pending${foreign === 0 ? '' : `, ${foreign} of them embedded by another model`}`;
  return failed(detail, 'kebab ingest');
}

/** The vectors that are shared so that no other knowledge base embeds the same text again. */
function sharedWith(shared: SharedEmbeddingsFound | null | undefined): string {
  if (shared === null || shared === undefined) return '';
  const mebibytes = (shared.bytes / 1_048_576).toFixed(1);
  return `; ${shared.entries} in ${shared.file} (${mebibytes} MiB) for all knowledge bases`;
}

function withoutEmbedder(context: DoctorContext): Outcome | null {
  const value = context.resolution.config.models.embedding.provider;
  if (value === 'none') return fine('disabled');
  return unprovided(context, 'models.embedding.provider', { value, names: context.ports.embedders.names() });
}

/** Whether the provider of answers is available. */
async function checkLlm(context: DoctorContext): Promise<Outcome> {
  const missing = withoutLlm(context);
  if (missing !== null) return missing;
  return optionalUnlessSet(context, LLM, async () => {
    await probed(context).catch((error: unknown) => {
      // the server answered: what is wrong with the model is reported below
      if (!isKebabError(error, 'model_not_pulled') && !isKebabError(error, 'config_invalid')) throw error;
    });
    return fine(whereAnswers(context));
  });
}

/** Which model answers questions. */
async function checkLlmModel(context: DoctorContext): Promise<Outcome> {
  const missing = withoutLlm(context);
  if (missing !== null) return missing;
  return optionalUnlessSet(context, LLM, async () => fine((await probed(context)).model.id));
}

async function probed({ resolution, ports }: DoctorContext): Promise<LanguageModel> {
  const model = await ports.languageModels.get(resolution.config.models.llm.provider);
  await model.probe?.();
  return model;
}

function isOllama({ resolution: { config }, ports }: DoctorContext): boolean {
  return config.models.llm.provider === 'ollama' && chatEndpoint(config, ports.languageModels) !== null;
}

/** The URL of a server, or the plugin that provides the model. */
function whereAnswers({ resolution: { config }, ports: { languageModels } }: DoctorContext): string {
  const endpoint = chatEndpoint(config, languageModels);
  if (endpoint !== null) return endpoint;
  const name = languageModels.names().find(({ id }) => id === config.models.llm.provider);
  return `${config.models.llm.provider} of ${name?.plugin}@${name?.pluginVersion}`;
}

function withoutLlm(context: DoctorContext): Outcome | null {
  const value = context.resolution.config.models.llm.provider;
  if (value === 'none') return fine('disabled');
  return unprovided(context, 'models.llm.provider', { value, names: context.ports.languageModels.names() });
}
