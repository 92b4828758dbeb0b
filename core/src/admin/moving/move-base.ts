import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { databaseFile } from '../../config/resolved-config.ts';
import type { FlagValue } from '../../config/read-config-files.ts';
import type { AbortOptions } from '../../contracts/contribution.ts';
import type { DocumentStore, DocumentWrite, DocumentWriter } from '../../contracts/document-store.ts';
import type { SessionRepo } from '../../contracts/session-repo.ts';
import type { VectorRecord, VectorStore } from '../../contracts/vector-store.ts';
import { allDocuments, deleteDocuments, openStore, openWriter } from '../../documents/open-store.ts';
import type { DocumentId, EmbeddingId } from '../../domain/ids.ts';
import { throwIfCancelled } from '../../errors/abort.ts';
import { invalidInput } from '../../errors/invalid-input.ts';
import { isKebabError, KebabError } from '../../errors/kebab-error.ts';
import type { Ports } from '../../ports.ts';
import type { MoveReport } from '../../wire/index.ts';
import { MOVED_PARTS } from '../../wire/names.ts';
import { recordGroups, withPayloads } from '../copy-vectors.ts';
import {
  type Base,
  committedVectors,
  digestOf,
  documentGroups,
  entriesOf,
  hashOfParts,
  idsWith,
  type MovedVectors,
  type Part,
  type PartDigest,
  readingsOf,
  sourcesOf,
} from './base-digest.ts';

/** Where to move a knowledge base. */
export interface MoveRequest {
  /** A URL that begins with `postgres://`, or the path of a database file. */
  readonly to: string;
  /** The URL of the Qdrant server for the vectors. */
  readonly qdrant?: string | undefined;
  /** Leaves the vectors behind: the next ingest makes them again. */
  readonly withoutVectors?: boolean | undefined;
  /** Counts what would be copied, and changes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Whether the copy becomes the knowledge base, so that an index of words on a server, which both share, is to follow it. */
  readonly switchTo?: boolean | undefined;
}

/** Options for following a move. */
export interface MoveOptions extends AbortOptions {
  /** Called after each batch: how many entries of a part are done, of how many; `isCheck` while the copy is compared. */
  readonly onProgress?: (progress: MoveProgress) => void;
}

/** How far a move is. */
export interface MoveProgress {
  readonly part: Part;
  readonly done: number;
  /** Null while it is unknown. */
  readonly total: number | null;
  readonly isCheck: boolean;
}

/** A setting of the configuration that makes the target the knowledge base. */
export interface TargetSetting {
  readonly key: string;
  readonly value: string;
}

/** Another knowledge base in this process. */
export interface OtherBase extends Pick<Ports, 'documents' | 'lexicalIndex' | 'sessions' | 'vectorStores' | 'config'> {
  readonly close: () => Promise<void>;
}

/** The ports of a move. */
export interface MovePorts extends Pick<Ports, 'documents' | 'sessions' | 'vectorStores' | 'config'> {
  /** Opens the knowledge base that the configuration would name with these values. */
  readonly openBase: (values: readonly FlagValue[]) => Promise<OtherBase>;
  readonly cwd: string;
}

/**
 * Copies a knowledge base to another store, unchanged: ids, dates, versions, vectors, conversations and records. What an interrupted move
 * has copied is not copied again. In the end both are read, and must have equal hashes. No ingest can run meanwhile. Errors: `invalid_input`
 * for a target that holds something else, `locked`, `store_damaged` when the copy differs, `cancelled`, and those of the stores.
 */
export async function moveBase(
  ports: MovePorts,
  request: MoveRequest,
  options: MoveOptions = {},
): Promise<Omit<MoveReport, 'switched'>> {
  const settings = targetSettings(request, ports.cwd);
  const other = await ports.openBase(settings.map(({ key, value }) => ({ key, value, flag: flagOf(key) })));
  let writer: DocumentWriter | null = null;
  let lock: string | null = null;
  try {
    lock = newLock(other, ports);
    const dryRun = request.dryRun === true;
    const store = await (dryRun ? ports.documents.read() : ports.documents.write());
    if (!dryRun) writer = await openWriter(store, options);
    const vectors = request.withoutVectors === true ? null : await vectorsIn(store, ports, 'read');
    const source = await openBase(store, await ports.sessions.read(), vectors);
    const move = new Move(source, { settings, options, switchTo: request.switchTo === true });
    return await (dryRun ? move.plan(other) : move.perform(other));
  } finally {
    await writer?.close();
    await other.close();
    if (lock !== null) rmSync(lock, { force: true });
  }
}

/**
 * The empty database with which the writer of the copy is locked, if this move makes it: nobody else writes to a copy that was just made.
 * Throws `invalid_input` for a copy in the folder of the knowledge base, since both would be locked together.
 */
function newLock({ config }: OtherBase, own: Pick<MovePorts, 'config'>): string | null {
  const file = databaseFile(config);
  if (file === null) return null;
  const folder = path.dirname(file);
  const ownFile = databaseFile(own.config);
  if (ownFile !== null && ownFile !== file && path.dirname(ownFile) === folder)
    throw invalidInput(`${folder} already has a knowledge base: ${path.basename(ownFile)}`, {
      field: '--to',
      value: file,
      hint: 'name a file in another folder: the writers of one folder share a lock',
    });
  const lock = path.join(folder, 'kebab.lock.sqlite');
  return existsSync(lock) ? null : lock;
}

/** The argument that decides about a setting. */
function flagOf(key: string): string {
  return key.startsWith('storage.qdrant.') ? '--qdrant' : '--to';
}

const POSTGRES = /^postgres(?:ql)?:\/\//i;

/** The beginning of another URL, or of one that is misspelt. What follows may hold a password, and is never shown. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]+:\/\/|postgres\w*(?::|\/\/))/i;

/** The settings that make a target the knowledge base. Throws `invalid_input` for a URL of another kind. */
export function targetSettings(
  { to, qdrant }: Pick<MoveRequest, 'to' | 'qdrant'>,
  cwd: string,
): readonly TargetSetting[] {
  const vectors =
    qdrant === undefined
      ? []
      : [
          { key: 'storage.qdrant.url', value: qdrant },
          { key: 'storage.vector_store', value: 'qdrant' },
        ];
  if (POSTGRES.test(to))
    return [
      { key: 'storage.postgres.url', value: to },
      ...vectors,
      { key: 'storage.document_store', value: 'postgres' },
    ];
  const scheme = ADDRESS.exec(to)?.[0];
  if (scheme !== undefined || to.trim() === '')
    throw invalidInput(
      `a knowledge base cannot be moved to ${JSON.stringify(scheme === undefined ? to : `${scheme}…`)}`,
      {
        field: '--to',
        value: scheme ?? to,
        hint: 'name a database file, or a server by a URL that begins with postgres://',
      },
    );
  return [
    { key: 'storage.sqlite', value: path.resolve(cwd, to) },
    ...(qdrant === undefined ? [{ key: 'storage.vector_store', value: 'local' }] : vectors),
    { key: 'storage.document_store', value: 'sqlite' },
  ];
}

/** The configured vector store, if the ledger records any vector. */
async function vectorsIn(
  store: DocumentStore,
  { vectorStores, config }: Pick<Ports, 'vectorStores' | 'config'>,
  access: 'read' | 'write',
): Promise<VectorStore | null> {
  const collections = await store.vectors.collections();
  if (collections.every(({ committed }) => committed === 0)) return null;
  return vectorStores.get(config.storage.vectorStore, access);
}

async function openBase(store: DocumentStore, sessions: SessionRepo, vectors: VectorStore | null): Promise<Base> {
  const archive = await store.archive?.();
  if (archive !== undefined) return { store, archive, sessions, vectors };
  throw invalidInput(`the store at ${store.location} cannot be moved`, {
    field: 'storage.document_store',
    hint: 'ingest the files into the new store instead',
  });
}

/** Vectors of documents on a server would have to be in a file beside them. */
function refuseVectorsWithoutServer({ storage }: OtherBase['config']): void {
  if (storage.documentStore === 'sqlite' || storage.vectorStore !== 'local') return;
  throw invalidInput('the vectors have no place where the documents go', {
    field: '--qdrant',
    hint: 'name a Qdrant server with --qdrant URL, or leave the vectors behind with --without-vectors',
  });
}

interface MoveInit {
  readonly settings: readonly TargetSetting[];
  readonly options: MoveOptions;
  readonly switchTo: boolean;
}

/** One move of an opened knowledge base. */
class Move {
  readonly #source: Base;
  readonly #settings: readonly TargetSetting[];
  readonly #options: MoveOptions;
  readonly #switchTo: boolean;

  constructor(source: Base, { settings, options, switchTo }: MoveInit) {
    this.#source = source;
    this.#settings = settings;
    this.#options = options;
    this.#switchTo = switchTo;
  }

  /** What a move would find and copy. */
  async plan(other: OtherBase): Promise<Omit<MoveReport, 'switched'>> {
    const store = await this.#atTarget(() => openStore(other.documents));
    if (store !== null) this.#refuseItself(store);
    const digests = await this.#digests(this.#source, await committedVectors(this.#source, this.#options));
    const isEmpty = store === null || (await store.documentCount()) === 0;
    const target = isEmpty ? null : await this.#openTarget(other, 'read');
    if (target !== null && (await target.archive.arriving()) === null) await this.#refuseOther(target, digests);
    const present = new Set<DocumentId>(target === null ? [] : await target.store.documentIds({}));
    const known = [...(await this.#source.store.documentIds({}))].filter((id) => present.has(id)).length;
    const copied = (part: Part): number => digests[part].count - (part === 'documents' ? known : 0);
    return { ...(await this.#report(digests, copied, store?.location)), dry_run: true };
  }

  async perform(other: OtherBase): Promise<Omit<MoveReport, 'switched'>> {
    const knowledgeBase = await this.#source.store.knowledgeBase();
    const opened = await this.#atTarget(() => other.documents.write());
    this.#refuseItself(opened);
    const target = await this.#openTarget(other, 'write');
    const moved = await committedVectors(this.#source, this.#options);
    const isNew = (await target.store.documentCount()) === 0 || (await target.archive.arriving()) !== null;
    if (!isNew) {
      const digests = await this.#digests(this.#source, moved);
      await this.#refuseOther(target, digests);
      return {
        ...(await this.#report(digests, () => 0, target.store.location)),
        ...(await this.#words(other)),
      };
    }
    await target.archive.beginMove(knowledgeBase);
    const writer = await openWriter(target.store, this.#options);
    try {
      const copy = new Copy(this.#source, { target, writer, moved, options: this.#options });
      const copied = await copy.everything();
      const digests = await this.#compare(target, moved);
      await target.archive.endMove();
      const report = await this.#report(digests, (part) => copied[part], target.store.location);
      return { ...report, ...(await this.#words(other)) };
    } finally {
      await writer.close();
    }
  }

  async #openTarget(other: OtherBase, access: 'read' | 'write'): Promise<Base> {
    if (this.#source.vectors !== null) refuseVectorsWithoutServer(other.config);
    return this.#atTarget(async () => {
      const store = await other.documents[access]();
      const vectors =
        this.#source.vectors === null ? null : await other.vectorStores.get(other.config.storage.vectorStore, access);
      return openBase(store, await other.sessions[access](), vectors);
    });
  }

  /** Opens a part of the target, whose settings are the arguments of this command: that is what the hint of an error is about. */
  async #atTarget<T>(open: () => Promise<T>): Promise<T> {
    try {
      return await open();
    } catch (error) {
      if (!isKebabError(error)) throw error;
      const { code, message, details, hint } = error;
      const isNoDatabase = isKebabError(error, 'io_error') && error.details.kind === 'SQLITE_NOTADB';
      const ofArguments = isNoDatabase
        ? 'name a file that does not exist yet with --to'
        : this.#settings.reduce(
            (text, { key }) =>
              text
                .replaceAll(new RegExp(`kebab config set ${key}`, 'g'), `kebab move ${flagOf(key)}`)
                .replaceAll(key, flagOf(key)),
            hint,
          );
      throw new KebabError(code, message, { details, hint: ofArguments, cause: error.cause });
    }
  }

  /** Brings words on a server up to the copy, or reports that they are left to an ingest. */
  async #words({ lexicalIndex, documents }: OtherBase): Promise<Pick<MoveReport, 'words_pending'>> {
    const index = await lexicalIndex.write();
    if (index.update === undefined) return {};
    if (!this.#switchTo) return { words_pending: true };
    try {
      await index.update({ documents: await documents.write() }, this.#options);
      return {};
    } catch (error) {
      if (isKebabError(error, 'vector_store_unreachable')) return { words_pending: true };
      throw error;
    }
  }

  #refuseItself({ location }: DocumentStore): void {
    if (location !== this.#source.store.location) return;
    throw invalidInput(`${location} is the knowledge base itself`, { field: '--to', value: location });
  }

  /** Accepts a complete copy of the same knowledge base, and nothing else. */
  async #refuseOther(target: Base, digests: Digests): Promise<void> {
    const isSame = (await target.store.knowledgeBase()) === (await this.#source.store.knowledgeBase());
    if (isSame) {
      const there = await this.#digests(target, await committedVectors(target, this.#options));
      if (MOVED_PARTS.every((part) => there[part].hash === digests[part].hash)) return;
    }
    const { location } = target.store;
    const what = isSame ? 'another state of this knowledge base' : 'another knowledge base';
    throw invalidInput(`${location} already holds ${what}`, {
      field: '--to',
      value: location,
      hint: 'name a new target, or empty this one with `kebab reset` where it is configured',
    });
  }

  async #compare(target: Base, moved: MovedVectors): Promise<Digests> {
    const from = await this.#digests(this.#source, moved);
    const to = await this.#digests(target, await committedVectors(target, this.#options));
    const differing = MOVED_PARTS.filter(
      (part) => from[part].hash !== to[part].hash || from[part].count !== to[part].count,
    );
    if (differing.length === 0) return from;
    const shown = differing.map((part) => `${part} (${from[part].count} here, ${to[part].count} there)`).join(', ');
    const cause = `the copy differs in ${shown}`;
    throw new KebabError('store_damaged', cause, {
      details: { store: target.store.location, table: null, cause },
      hint: 'run the same command again: it copies what is missing; if it fails again, move to an empty target',
    });
  }

  async #digests(base: Base, moved: MovedVectors): Promise<Digests> {
    const digests = new Map<Part, PartDigest>();
    for (const part of MOVED_PARTS) {
      const digest = await digestOf(part, base, { moved, signal: this.#options.signal });
      digests.set(part, digest);
      this.#options.onProgress?.({ part, done: digest.count, total: digest.count, isCheck: true });
    }
    return Object.fromEntries(digests) as Digests;
  }

  async #report(
    digests: Digests,
    copied: (part: Part) => number,
    to: string | undefined,
  ): Promise<Omit<MoveReport, 'switched'>> {
    const { store } = this.#source;
    const shown = this.#settings.map(({ key, value }) => ({ key, value: withoutPassword(value) }));
    return {
      schema_version: 'move_report.v1',
      dry_run: false,
      from: store.location,
      to: to ?? shown.find(({ key }) => key === 'storage.sqlite' || key === 'storage.postgres.url')?.value ?? '',
      knowledge_base: await store.knowledgeBase(),
      parts: MOVED_PARTS.map((part) => ({
        part,
        count: digests[part].count,
        copied: copied(part),
        hash: digests[part].hash,
      })),
      hash: hashOfParts(digests),
      settings: shown,
    };
  }
}

type Digests = Readonly<Record<Part, PartDigest>>;

/** A URL as it may be printed. */
function withoutPassword(value: string): string {
  return value.replace(/^([a-z][a-z\d+.-]*:\/\/[^/?#@]*?):[^/?#]*@/i, '$1:***@');
}

interface CopyInit {
  readonly target: Base;
  readonly writer: DocumentWriter;
  readonly moved: MovedVectors;
  readonly options: MoveOptions;
}

/** Copies the parts of a base that the target lacks, and removes what an earlier attempt copied and the base no longer has. */
class Copy {
  readonly #source: Base;
  readonly #target: Base;
  readonly #writer: DocumentWriter;
  readonly #moved: MovedVectors;
  readonly #options: MoveOptions;

  constructor(source: Base, { target, writer, moved, options }: CopyInit) {
    this.#source = source;
    this.#target = target;
    this.#writer = writer;
    this.#moved = moved;
    this.#options = options;
  }

  async everything(): Promise<Readonly<Record<Part, number>>> {
    return {
      sources: await this.#sources(),
      documents: await this.#documents(),
      vectors: await this.#vectors(),
      sessions: await this.#sessions(),
      answers: await this.#answers(),
      evaluations: await this.#evaluations(),
      runs: await this.#runs(),
      failed_files: await this.#failedFiles(),
      seen_places: await this.#seenPlaces(),
      readings: await this.#readings(),
    };
  }

  async #sources(): Promise<number> {
    const roots = await this.#source.store.indexedRoots();
    for (const source of (await this.#target.store.indexedRoots()).keys())
      if (!roots.has(source)) await this.#writer.setIndexedRoot(source, null);
    for (const [source, root] of roots) await this.#writer.setIndexedRoot(source, root);
    return roots.size;
  }

  async #documents(): Promise<number> {
    const { store } = this.#source;
    const total = await store.documentCount();
    const ids = await store.documentIds({});
    const gone = [...(await this.#target.store.documentIds({}))].filter((id) => !ids.has(id));
    await deleteDocuments(this.#writer, gone);
    let done = 0;
    let copied = 0;
    const wanted = async (group: readonly DocumentId[]): Promise<readonly DocumentId[]> => {
      done += group.length;
      const there = new Map((await this.#target.store.getDocuments(group)).map((row) => [row.docId, keyOf(row)]));
      const here = await store.getDocuments(group);
      return here.flatMap((row) => (there.get(row.docId) === keyOf(row) ? [] : [row.docId]));
    };
    for await (const group of documentGroups(this.#source, wanted)) {
      this.#step('documents', done, total);
      if (group.length === 0) continue;
      await this.#writer.transaction((tx) => {
        for (const { indexedAt, ...write } of group) {
          tx.putDocument(notEmbedded(write));
          tx.touchDocument(write.document.docId, indexedAt, write.file);
        }
      });
      copied += group.length;
    }
    return copied;
  }

  async #vectors(): Promise<number> {
    const { store, vectors } = this.#target;
    if (vectors === null) return 0;
    await this.#forgetVectors(vectors);
    let copied = 0;
    for (const [collection, { ids, fingerprint }] of this.#moved) {
      const recorded = await idsWith('committed', collection, store);
      const present = await this.#presentIn(vectors, collection);
      const missing = new Set([...ids].filter((id) => !recorded.has(id) || !present.has(id)));
      let done = ids.size - missing.size;
      const from = missing.size === 0 ? null : this.#source.vectors;
      const options = { ...this.#options, wanted: missing };
      for await (const group of from === null ? [] : recordGroups(from, collection, options)) {
        await this.#putVectors(vectors, { collection, group, present });
        copied += group.length;
        this.#step('vectors', (done += group.length), ids.size);
      }
      await this.#markEmbedded(fingerprint);
    }
    return copied;
  }

  async #presentIn(vectors: VectorStore, collection: string): Promise<ReadonlySet<EmbeddingId>> {
    const present = new Set<EmbeddingId>();
    if ((await vectors.count(collection, this.#options)) === null) return present;
    for await (const id of vectors.listIds(collection, this.#options)) present.add(id);
    return present;
  }

  async #putVectors(
    vectors: VectorStore,
    {
      collection,
      group,
      present,
    }: {
      readonly collection: string;
      readonly group: readonly VectorRecord[];
      readonly present: ReadonlySet<EmbeddingId>;
    },
  ): Promise<void> {
    const ids = group.map(({ embeddingId }) => embeddingId);
    const notes = (await this.#source.archive.notes(ids)).map((note) => ({ ...note, store: vectors.id }));
    const at = new Date(0);
    await this.#writer.vectors.begin(notes, at);
    if (group[0] !== undefined) await vectors.ensureCollection(collection, group[0].vector.length, this.#options);
    const missing = group.filter(({ embeddingId }) => !present.has(embeddingId));
    await vectors.upsert(collection, await withPayloads(missing, this.#target.store), this.#options);
    await this.#writer.vectors.commit({ embeddingIds: ids, documents: [], fingerprint: '', at });
  }

  /** Documents count as embedded once all of their vectors are there. */
  async #markEmbedded(fingerprint: string): Promise<void> {
    const at = new Date(0);
    let documents: DocumentId[] = [];
    const commit = async (): Promise<void> => {
      if (documents.length > 0) await this.#writer.vectors.commit({ embeddingIds: [], documents, fingerprint, at });
      documents = [];
    };
    for await (const { docId, fingerprints } of allDocuments(this.#source.store)) {
      if (fingerprints.embedding !== fingerprint) continue;
      documents.push(docId);
      if (documents.length === DOCUMENT_GROUP) await commit();
    }
    await commit();
  }

  /** Removes vectors that an earlier attempt copied, and the base does not have. */
  async #forgetVectors(vectors: VectorStore): Promise<void> {
    const { store } = this.#target;
    for (const { collection } of await store.vectors.collections()) {
      const kept = this.#moved.get(collection)?.ids ?? new Set<EmbeddingId>();
      for (const status of ['committed', 'pending', 'tombstone'] as const) {
        const gone = [...(await idsWith(status, collection, store))].filter((id) => !kept.has(id));
        if (gone.length === 0) continue;
        if ((await vectors.count(collection, this.#options)) !== null)
          await vectors.delete(collection, gone, this.#options);
        await this.#writer.vectors.forget(gone);
      }
    }
  }

  async #sessions(): Promise<number> {
    const { sessions: from } = this.#source;
    const { sessions: to } = this.#target;
    const here = await from.listSessions();
    const ids = new Set(here.map(({ sessionId }) => sessionId));
    for (const { sessionId } of await to.listSessions()) if (!ids.has(sessionId)) await to.deleteSession(sessionId);
    let copied = 0;
    for (const session of here) {
      const turns = await from.listTurns(session.sessionId);
      const present = (await to.listTurns(session.sessionId)).length;
      if (present === turns.length && (await to.getSession(session.sessionId)) !== null) continue;
      await to.createSession(session);
      for (const [index, turn] of turns.entries())
        if (index >= present) await to.appendTurn(session.sessionId, turn, index);
      this.#step('sessions', ++copied, here.length);
    }
    return copied;
  }

  async #answers(): Promise<number> {
    const known = new Set<string>();
    for await (const { traceId } of entriesOf((page) => this.#target.archive.answers(page))) known.add(traceId);
    let copied = 0;
    for await (const answer of entriesOf((page) => this.#source.archive.answers(page))) {
      if (known.has(answer.traceId)) continue;
      await this.#target.store.answers.record(answer);
      this.#step('answers', ++copied, null);
    }
    return copied;
  }

  async #evaluations(): Promise<number> {
    let copied = 0;
    for await (const run of entriesOf((page) => this.#source.archive.evals(page))) {
      if ((await this.#target.store.evals.find(run.runId)) !== null) continue;
      await this.#target.store.evals.record(run, await this.#source.store.evals.results(run.runId));
      this.#step('evaluations', ++copied, null);
    }
    return copied;
  }

  async #runs(): Promise<number> {
    const known = new Set((await this.#target.archive.runs()).map(({ runId }) => runId));
    const missing = (await this.#source.archive.runs()).filter(({ runId }) => !known.has(runId));
    for (const run of missing) await this.#writer.recordRun(run);
    return missing.length;
  }

  async #failedFiles(): Promise<number> {
    const files = await this.#source.store.quarantined();
    await this.#writer.setQuarantine(files);
    return files.length;
  }

  async #seenPlaces(): Promise<number> {
    let copied = 0;
    for (const source of await sourcesOf(this.#source.store)) {
      const places = await this.#source.store.seenPlaces(source);
      const paths = new Set(places.map((place) => place.path));
      const there = await this.#target.store.seenPlaces(source);
      const remove = there.flatMap((place) => (paths.has(place.path) ? [] : [place.path]));
      for (let at = 0; at === 0 || at < places.length; at += PLACE_GROUP) {
        throwIfCancelled(this.#options.signal, 'move');
        await this.#writer.setSeen(source, {
          put: places.slice(at, at + PLACE_GROUP),
          remove: at === 0 ? remove : [],
        });
      }
      copied += places.length;
    }
    return copied;
  }

  async #readings(): Promise<number> {
    let copied = 0;
    for await (const { kind, key, payload, lastUsedAt } of readingsOf(this.#source.archive)) {
      await this.#writer.derivations.set(kind, [{ key, payload }], lastUsedAt);
      this.#step('readings', ++copied, null);
    }
    return copied;
  }

  #step(part: Part, done: number, total: number | null): void {
    throwIfCancelled(this.#options.signal, 'move');
    this.#options.onProgress?.({ part, done, total, isCheck: false });
  }
}

const DOCUMENT_GROUP = 1000;
const PLACE_GROUP = 5000;

/** A document as it is written first: it counts as embedded when its vectors have arrived. */
function notEmbedded(write: DocumentWrite): DocumentWrite {
  return { ...write, fingerprints: { ...write.fingerprints, embedding: null } };
}

/** What tells the state of a stored document, except its vectors. */
function keyOf({ docId, committedAt, indexedAt, docVersion, fingerprints, chunkCount }: StoredRow): string {
  return JSON.stringify([docId, committedAt, indexedAt, docVersion, { ...fingerprints, embedding: null }, chunkCount]);
}

type StoredRow = Awaited<ReturnType<DocumentStore['getDocuments']>>[number];
