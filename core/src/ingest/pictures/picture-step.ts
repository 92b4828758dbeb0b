import { fingerprintOf } from '../../domain/policy-hash.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { Clock, Logger } from '../../contracts/contribution.ts';
import type { DerivationRecords } from '../../contracts/derivation-records.ts';
import type { Picture, PictureReading, PictureRequest, PictureUse } from '../../contracts/extractor.ts';
import type { ModelCaption, OcrText } from '../../domain/block.ts';
import type { JsonValue } from '../../domain/json.ts';
import { throwIfCancelled } from '../../errors/abort.ts';
import { classifyError } from '../../errors/classify-error.ts';
import type { Ports } from '../../ports.ts';
import { pluginFailure } from '../../plugin/plugin-failure.ts';
import type { Degraded } from '../../wire/index.ts';
import type { Extraction, ExtractionHost, ExtractionJob } from '../../extraction/extraction-job.ts';
import {
  boundedCall,
  captionLanguage,
  faultInCaption,
  faultInText,
  isReaderDown,
  PictureReaders,
  type ReaderState,
} from './picture-readers.ts';
import { PictureNotes } from './picture-notes.ts';
import { ocrOptions, ReadingCache, type ReadingKey, type ReadingOf } from '../../extraction/reading-cache.ts';
import type { CanonicalDocument } from '../../domain/document.ts';
import type { ExtractWarning } from '../../domain/metadata.ts';
import { pagesIn } from '../../documents/document-facts.ts';
import { KebabError } from '../../errors/kebab-error.ts';
import { nearestName } from '../../errors/invalid-input.ts';

/** The ports and settings for reading pictures. */
export interface PictureStepInit extends Pick<Ports, 'ocrEngines' | 'captioners' | 'log'> {
  readonly config: Pick<ResolvedConfig, 'ocr' | 'caption'>;
  readonly derivations: DerivationRecords;
  readonly clock: Clock;
  /** Called once for each unavailable reader. */
  readonly onDegraded: (degraded: Degraded) => void;
}

/** The event when a model begins to read a picture. */
export interface PictureStage {
  readonly stage: PictureUse;
  readonly model: string;
  readonly page: number | null;
  /** The number of finished pictures of the file, and the total to read. */
  readonly done: number;
  readonly total: number;
}

/** A file that was extracted, and where. */
export interface ExtractedFile {
  readonly job: ExtractionJob;
  /** The id and version of the extractor that renders the pictures. */
  readonly renderer: string;
  /** Where it was extracted, and will be extracted again. */
  readonly host: ExtractionHost;
  readonly signal: AbortSignal;
  readonly onStage: (stage: PictureStage) => void;
}

/** A file with its pictures read, as far as that was possible. */
export interface ReadFile {
  readonly extraction: Extraction;
  /** Null when no picture was to be read. */
  readonly ocrPages: number | null;
  /** The uses for which no reader was available: to be retried. */
  readonly unread: readonly PictureUse[];
  /** The number of readings from a model in this run, rather than from the cache. */
  readonly fresh: number;
}

type UnreadFile = ExtractedFile & Pick<Extraction, 'pictures'>;

/** One reading: a picture, its use, and the handling of the result. */
interface Task<U extends PictureUse> {
  readonly use: U;
  readonly file: UnreadFile;
  readonly picture: PictureRequest;
  readonly notes: PictureNotes;
  readonly maxPixels: number;
  readonly timeoutMs: number;
  /** Inputs of the reading besides the picture and the reader. */
  readonly options: Readonly<Record<string, JsonValue>>;
  readonly call: (
    reader: Extract<ReaderState<U>, { kind: 'ready' }>['reader'],
    picture: Picture,
    signal: AbortSignal,
  ) => Promise<ReadingOf[U]>;
  readonly fault: (reading: ReadingOf[U], picture: Picture) => string | null;
}

const MS = 1000;

/**
 * Reads the pictures of files, sequentially and each at most once ever: rendered by the extractor, read by the configured OCR engine and
 * captioner, stored in the derivation cache. Any failure with a picture is a warning.
 */
export class PictureStep {
  readonly #init: PictureStepInit;
  readonly #readers: PictureReaders;
  readonly #cache: ReadingCache;

  constructor(init: PictureStepInit) {
    this.#init = init;
    this.#readers = new PictureReaders(init);
    this.#cache = new ReadingCache(init.derivations, init.clock);
  }

  /** Whether the readers for all these uses are known to be unavailable in this run. */
  cannotRead(uses: readonly PictureUse[]): boolean {
    return uses.every((use) => this.#readers.isDown(use));
  }

  /**
   * Reads the pictures that an extraction requests, if any, and extracts the file again with the readings. Errors: those of the extractor,
   * `cancelled`.
   */
  async complete(first: Extraction, extracted: ExtractedFile): Promise<ReadFile> {
    if (first.pictures.length === 0) return { extraction: first, ocrPages: null, unread: [], fresh: 0 };
    const file = { ...extracted, pictures: first.pictures };
    const notes = new PictureNotes();
    const readings = new Map<string, PictureReading>();
    for (const picture of file.pictures) {
      throwIfCancelled(file.signal, 'ingest');
      readings.set(picture.id, await this.#read(file, picture, notes));
    }
    const extraction = await file.host.extract({ ...file.job, readings }, file.signal);
    const { plugin, parts } = file.job;
    const events = notes.events({ at: parts.at, agent: `${plugin.name}@${plugin.version}` });
    const provenance = [...extraction.document.provenance, ...events];
    return {
      extraction: {
        ...extraction,
        document: { ...extraction.document, provenance },
        warnings: [...extraction.warnings, ...notes.warnings],
      },
      ocrPages: notes.ocrPages,
      unread: notes.unreadUses,
      fresh: notes.fresh,
    };
  }

  async #read(file: UnreadFile, picture: PictureRequest, notes: PictureNotes): Promise<PictureReading> {
    const ocr = picture.uses.includes('ocr') ? await this.#perform(this.#ocrTask(file, picture, notes)) : null;
    if (!picture.uses.includes('caption')) return { ocr, caption: null };
    const lang = captionLanguage(ocr?.joined ?? '', this.#init.config.ocr.languages);
    return { ocr, caption: await this.#perform(this.#captionTask(lang, { file, picture, notes })) };
  }

  #ocrTask(file: UnreadFile, picture: PictureRequest, notes: PictureNotes): Task<'ocr'> {
    const { languages, maxPixels, timeoutS } = this.#init.config.ocr;
    return {
      use: 'ocr',
      file,
      picture,
      notes,
      maxPixels,
      timeoutMs: timeoutS * MS,
      options: ocrOptions(this.#init.config.ocr),
      call: (reader, { png, width, height }, signal): Promise<OcrText> =>
        reader.recognize({ png, width, height, languages }, this.#context(signal)),
      fault: faultInText,
    };
  }

  #captionTask(lang: string, task: Pick<Task<'caption'>, 'file' | 'picture' | 'notes'>): Task<'caption'> {
    const { maxPixels, timeoutS } = this.#init.config.caption;
    return {
      use: 'caption',
      ...task,
      maxPixels,
      timeoutMs: timeoutS * MS,
      options: { lang, maxPixels },
      call: (reader, { png }, signal): Promise<ModelCaption> => reader.caption({ png, lang }, this.#context(signal)),
      fault: faultInCaption,
    };
  }

  /** Null when the picture was not read; the reason is recorded. */
  async #perform<U extends PictureUse>(task: Task<U>): Promise<ReadingOf[U] | null> {
    const { use, file, picture, notes } = task;
    const state = await this.#readers.state(use);
    if (state.kind === 'off') return null;
    if (state.kind === 'down') {
      notes.unread(use, picture, state.error);
      return null;
    }
    const agent = `${state.plugin.name}@${state.plugin.version}`;
    const key = keyOf(task, fingerprintOf(state.reader));
    const known = await this.#cache.get(use, key);
    if (known !== undefined) {
      notes.applied(use, picture, { agent, isFresh: false });
      return known;
    }
    try {
      const reading = await this.#ask(task, state);
      await this.#cache.set(use, key, reading);
      notes.applied(use, picture, { agent, isFresh: true });
      return reading;
    } catch (caught) {
      throwIfCancelled(file.signal, 'ingest');
      const error = classifyError(caught);
      if (isReaderDown(error)) notes.unread(use, picture, this.#readers.giveUp(use, error));
      else notes.failed(use, picture, error);
      return null;
    }
  }

  async #ask<U extends PictureUse>(
    { use, file, picture, maxPixels, timeoutMs, call, fault }: Task<U>,
    { reader, plugin }: Extract<ReaderState<U>, { kind: 'ready' }>,
  ): Promise<ReadingOf[U]> {
    const { job, host, signal, onStage } = file;
    const { extractorId, bytes, parts } = job;
    const [done, total] = [file.pictures.indexOf(picture), file.pictures.length];
    onStage({ stage: use, model: this.#readers.modelOf(use), page: picture.page, done, total });
    const request = { picture: picture.id, maxPixels };
    const rendered = await host.render({ extractorId, plugin: job.plugin, bytes, asset: parts.asset, request }, signal);
    try {
      const bounds = { signal, timeoutMs, operation: use };
      const reading = await boundedCall((stop) => call(reader, rendered, stop), bounds);
      const broken = fault(reading, rendered);
      if (broken !== null) throw new Error(broken);
      return reading;
    } catch (error) {
      throw pluginFailure(error, { plugin, kind: use, stage: use, path: parts.asset.workspacePath });
    }
  }

  #context(signal: AbortSignal): { readonly signal: AbortSignal; readonly log: Logger; readonly progress: () => void } {
    return { signal, log: this.#init.log, progress: () => {} };
  }
}

function keyOf<U extends PictureUse>({ file, picture, options }: Task<U>, reader: string): ReadingKey {
  const { checksum } = file.job.parts.asset;
  return { checksum, picture: picture.id, renderer: file.renderer, reader, options };
}

/** A file extracted again. */
interface ExtractedAnew {
  readonly document: Pick<CanonicalDocument, 'text' | 'pages' | 'provenance'>;
  readonly warnings: readonly ExtractWarning[];
}

const PAGE = 'page ';

/**
 * Whether replacing the stored document by what was extracted now would lose text that a model read in pictures: because of another engine,
 * none, or a failed one. A page that now has usable text of its own loses nothing.
 */
export function losesReadings(
  stored: Pick<CanonicalDocument, 'provenance'>,
  { document, warnings }: ExtractedAnew,
): boolean {
  const poor = new Set(
    warnings.flatMap(({ kind, note }) =>
      kind === 'scanned_candidate' ? [...pagesIn(note)].map((page) => `${PAGE}${page}`) : [],
    ),
  );
  const hasOwnText = (picture: string): boolean => {
    const page = document.pages?.find((range) => `${PAGE}${range.page}` === picture);
    return page !== undefined && page.end > page.start && !poor.has(picture);
  };
  return (['ocr_applied', 'caption_applied'] as const).some((kind) => {
    const now = picturesIn(document, kind);
    return [...picturesIn(stored, kind)].some((picture) => !now.has(picture) && !hasOwnText(picture));
  });
}

/** The names of the pictures that a model read. */
function picturesIn(
  { provenance }: Pick<CanonicalDocument, 'provenance'>,
  use: 'ocr_applied' | 'caption_applied',
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { kind, note } of provenance) {
    if (kind !== use || note === null) continue;
    const pages = pagesIn(note);
    for (const page of pages) names.add(`${PAGE}${page}`);
    if (pages.size === 0) names.add(note);
  }
  return names;
}

/**
 * Throws `config_invalid` for a configured language that the OCR engine has no data for: every picture would fail because of it, one by
 * one. If an engine is unavailable, or does not list its languages, the ingest itself reports the problem.
 */
export async function checkOcrLanguages({
  ocrEngines,
  config: { ocr },
}: Pick<Ports, 'ocrEngines'> & { readonly config: Pick<ResolvedConfig, 'ocr'> }): Promise<void> {
  const { engine: id, languages } = ocr;
  if (!ocrEngines.names().some((named) => named.id === id)) return;
  const present = await ocrEngines
    .get(id)
    .then((engine) => engine.languages?.(languages))
    .catch(() => undefined);
  const missing = languages.find((language) => present?.includes(language) === false);
  if (present === undefined || missing === undefined) return;
  const suggestion = nearestName(missing, present) ?? null;
  const cause = `${id} has no data for the language ${JSON.stringify(missing)}; it has ${present.join(', ')}`;
  const ending = suggestion === null ? '' : `; did you mean ${suggestion}?`;
  const chosen = languages
    .map((language) => (language === missing ? suggestion : language))
    .filter((one) => one !== null);
  const wanted = [...new Set(chosen.filter((language) => present.includes(language)))];
  throw new KebabError('config_invalid', `ocr.languages: ${cause}${ending}`, {
    details: { path: null, key: 'ocr.languages', cause, suggestion },
    hint: `\`kebab config set ocr.languages ${(wanted.length === 0 ? present : wanted).join(',')}\`, or put ${missing}.traineddata where ${id} looks for it`,
  });
}
