import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { Captioner } from '../../contracts/captioner.ts';
import type { PictureUse } from '../../contracts/extractor.ts';
import type { OcrEngine } from '../../contracts/ocr-engine.ts';
import { classifyError } from '../../errors/classify-error.ts';
import { isKebabError, type KebabError } from '../../errors/kebab-error.ts';
import type { Ports } from '../../ports.ts';
import type { Degraded } from '../../wire/index.ts';

/** What reads pictures, for each use. */
interface ReaderOf {
  readonly ocr: OcrEngine;
  readonly caption: Captioner;
}

/** What the readers of pictures are found with. */
export interface PictureReadersInit extends Pick<Ports, 'ocrEngines' | 'captioners' | 'log'> {
  readonly config: Pick<ResolvedConfig, 'ocr' | 'caption'>;
  /** Told of each reader that cannot be used. */
  readonly onDegraded: (degraded: Degraded) => void;
}

/** Who contributes a reader; its failures carry this name. */
export interface ReaderPlugin {
  readonly name: string;
  readonly version: string;
}

/** How a reader stands: switched off, not usable in this run, or ready. */
export type ReaderState<U extends PictureUse> =
  | { readonly kind: 'off' }
  | { readonly kind: 'down'; readonly error: KebabError }
  | { readonly kind: 'ready'; readonly reader: ReaderOf[U]; readonly plugin: ReaderPlugin };

const OFF = 'none';

/** Finds what reads the pictures of a run, and remembers what cannot be used, so that it is asked once and not for each page. */
export class PictureReaders {
  readonly #init: PictureReadersInit;
  readonly #down = new Map<PictureUse, KebabError>();

  constructor(init: PictureReadersInit) {
    this.#init = init;
  }

  /** The engine or model that is configured for a use, for example `tesseract`. */
  idOf(use: PictureUse): string {
    const { config } = this.#init;
    return use === 'ocr' ? config.ocr.engine : config.caption.provider;
  }

  /** Whether a reader turned out to be unusable in this run. */
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
      return { kind: 'ready', reader, plugin: this.#pluginOf(use) };
    } catch (cause) {
      return { kind: 'down', error: this.giveUp(use, classifyError(cause)) };
    }
  }

  /** Takes a reader out of use for the rest of the run, and says so. */
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

  #pluginOf(use: PictureUse): ReaderPlugin {
    const named = this.#catalogOf(use)
      .names()
      .find(({ id }) => id === this.idOf(use));
    return { name: named?.plugin ?? this.idOf(use), version: named?.pluginVersion ?? '' };
  }
}

/** Whether a failure is one of the reader as a whole, so that other pictures would fail the same way. */
export function isReaderDown(error: KebabError): boolean {
  return isKebabError(error, 'model_not_pulled') || isKebabError(error, 'model_unreachable');
}

function reasonOf(error: KebabError): Degraded['reason'] {
  if (isKebabError(error, 'model_not_pulled')) return 'model_not_pulled';
  return isKebabError(error, 'model_unreachable') ? 'model_unreachable' : 'plugin_failed';
}
