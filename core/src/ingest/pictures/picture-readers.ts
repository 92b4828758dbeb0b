import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { Captioner } from '../../contracts/captioner.ts';
import type { Picture, PictureUse } from '../../contracts/extractor.ts';
import type { OcrEngine } from '../../contracts/ocr-engine.ts';
import type { ModelCaption, OcrText } from '../../domain/block.ts';
import { classifyError } from '../../errors/classify-error.ts';
import { isKebabError, KebabError } from '../../errors/kebab-error.ts';
import { withDeadline } from '../../errors/abort.ts';
import { detectLanguage, UNDETERMINED } from '../../analysis/detect-language.ts';
import { pluginOf } from '../../plugin/components.ts';
import type { Ports } from '../../ports.ts';
import type { Degraded } from '../../wire/index.ts';

/** The reader of pictures for each use. */
interface ReaderOf {
  readonly ocr: OcrEngine;
  readonly caption: Captioner;
}

/** The inputs for finding the readers of pictures. */
interface PictureReadersInit extends Pick<Ports, 'ocrEngines' | 'captioners' | 'log'> {
  readonly config: Pick<ResolvedConfig, 'ocr' | 'caption'>;
  /** Called for each unavailable reader. */
  readonly onDegraded: (degraded: Degraded) => void;
}

/** The state of a reader: disabled, unavailable in this run, or ready. */
export type ReaderState<U extends PictureUse> =
  | { readonly kind: 'off' }
  | { readonly kind: 'down'; readonly error: KebabError }
  | { readonly kind: 'ready'; readonly reader: ReaderOf[U]; readonly plugin: ReturnType<typeof pluginOf> };

const OFF = 'none';

/** Finds the readers for the pictures of a run, and remembers unavailable ones, so that they are called once and not for each page. */
export class PictureReaders {
  readonly #init: PictureReadersInit;
  readonly #down = new Map<PictureUse, KebabError>();

  constructor(init: PictureReadersInit) {
    this.#init = init;
  }

  /** The configured engine or model for a use, for example `tesseract`. */
  idOf(use: PictureUse): string {
    const { config } = this.#init;
    return use === 'ocr' ? config.ocr.engine : config.caption.provider;
  }

  /** The model for a use: the configured one, or the engine itself if it has only one. */
  modelOf(use: PictureUse): string {
    const { config } = this.#init;
    const model = use === 'ocr' ? config.ocr.model : config.caption.model;
    return model === '' ? this.idOf(use) : model;
  }

  /** Whether a reader turned out to be unavailable in this run. */
  isDown(use: PictureUse): boolean {
    return this.#down.has(use);
  }

  async state<U extends PictureUse>(use: U): Promise<ReaderState<U>> {
    const id = this.idOf(use);
    if (id === OFF) return { kind: 'off' };
    const error = this.#down.get(use);
    if (error !== undefined) return { kind: 'down', error };
    try {
      const reader = (await this.#catalogOf(use).get(id)) as ReaderOf[U];
      return { kind: 'ready', reader, plugin: pluginOf(this.#catalogOf(use).names(), id) };
    } catch (cause) {
      return { kind: 'down', error: this.giveUp(use, classifyError(cause)) };
    }
  }

  /** Disables a reader for the rest of the run, and reports it. */
  giveUp(use: PictureUse, error: KebabError): KebabError {
    if (this.#down.has(use)) return error;
    this.#down.set(use, error);
    this.#init.log.warn(`${use} is not available`, { cause: error.message });
    this.#init.onDegraded({ stage: use, reason: reasonOf(error), hint: error.hint });
    return error;
  }

  #catalogOf(use: PictureUse): Ports['ocrEngines'] | Ports['captioners'] {
    return use === 'ocr' ? this.#init.ocrEngines : this.#init.captioners;
  }
}

/** Whether a failure concerns the reader as a whole, so that other pictures would fail in the same way. */
export function isReaderDown(error: KebabError): boolean {
  return isKebabError(error, 'model_not_pulled') || isKebabError(error, 'model_unreachable');
}

function reasonOf(error: KebabError): Degraded['reason'] {
  if (isKebabError(error, 'model_not_pulled')) return 'model_not_pulled';
  return isKebabError(error, 'model_unreachable') ? 'model_unreachable' : 'plugin_failed';
}

/** The limits of a model call. */
interface CallBounds {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Names the limit in the message, for example `ocr`. */
  readonly operation: string;
}

/** How long a call may continue after its signal has fired, before it is abandoned. */
const GRACE_MS = 1000;

/**
 * Calls a model with a signal that fires with the caller's or when the time is up. Throws `cancelled` and `timeout`, even when the model
 * does not stop by itself.
 */
export function boundedCall<T>(call: (signal: AbortSignal) => Promise<T>, bounds: CallBounds): Promise<T> {
  const { signal, timeoutMs, operation } = bounds;
  return withDeadline(call, {
    operation: 'ingest',
    signal,
    timeoutMs,
    late: () => late(operation, timeoutMs),
    abortGraceMs: GRACE_MS,
    timeoutGraceMs: GRACE_MS,
  });
}

function late(operation: string, timeoutMs: number): KebabError<'timeout'> {
  return new KebabError('timeout', `it did not finish within ${timeoutMs / 1000} s`, {
    details: { operation, after_ms: timeoutMs },
    hint: `raise the limit with \`kebab config set ${operation}.timeout_s SECONDS\``,
  });
}

/** Describes what is wrong with the result of an OCR engine, as one line; null when it meets its contract. */
export function faultInText(text: OcrText, { width, height }: Pick<Picture, 'width' | 'height'>): string | null {
  for (const { bbox, confidence } of text.regions) {
    const [x, y, w, h] = bbox;
    const isInside = x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= width && y + h <= height;
    if (!isInside) return `a box of ${bbox.join(', ')} does not lie in a picture of ${width} × ${height} pixels`;
    if (!(confidence >= 0 && confidence <= 1)) return `a confidence is ${confidence}`;
  }
  return text.regions.map((region) => region.text).join('\n') === text.joined
    ? null
    : 'the joined text is not that of its regions, one a line';
}

/** Describes what is wrong with the result of a captioner, as one line; null when it meets its contract. */
export function faultInCaption({ text }: ModelCaption): string | null {
  return text.trim() === '' ? 'the caption is empty' : null;
}

const ENGLISH = 'en';

/**
 * The language for the caption of a picture, as an ISO 639-1 code: that of the text in it, else the first of the configured languages, else
 * English.
 */
export function captionLanguage(text: string, languages: readonly string[]): string {
  const detected = detectLanguage(text);
  if (detected !== UNDETERMINED) return detected;
  try {
    return new Intl.Locale(languages[0] ?? ENGLISH).language;
  } catch {
    return ENGLISH;
  }
}
