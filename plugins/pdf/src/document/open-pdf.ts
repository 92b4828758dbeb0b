import { isKebabError, throwIfCancelled, type CallContext, type ExtractInput, withDeadline } from '@kebab/core';
import type { PDFDocumentLoadingTask, PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PdfConfig } from '../pdf-config.ts';
import { loadPdfjs } from './load-pdfjs.ts';
import { giveBack, takeThread, type ParserThread } from './parser-thread.ts';
import { isPasswordRefused, pdfFailure } from './pdf-failure.ts';

/** Larger images inside a page are left out when it is rendered. */
const MAX_IMAGE_PIXELS = 40e6;
/** How long freeing a file may take before its thread is ended instead. */
const DESTROY_MS = 1000;
/** However often a file was late, its next page has so long. */
const MIN_TIMEOUT_MS = 1000;

/** What opening a file takes. */
export interface OpenOptions {
  readonly config: Pick<PdfConfig, 'password' | 'pageTimeoutMs'>;
  readonly context: Pick<CallContext, 'signal'>;
  /** What makes canvases when pages are rendered. */
  readonly canvasFactory?: (new () => object) | undefined;
}

/**
 * Opens a file, hands it to `use`, and frees everything afterwards, whatever happened. Errors: `invalid_input` for what is
 * encrypted, damaged or no PDF, `timeout`, `cancelled`.
 */
export async function openPdf<T>(
  input: ExtractInput,
  options: OpenOptions,
  use: (pdf: OpenPdf) => Promise<T>,
): Promise<T> {
  throwIfCancelled(options.context.signal, 'reading a PDF');
  const pdf = new OpenPdf(input, options);
  try {
    await pdf.open();
    return await use(pdf);
  } finally {
    await (pdf.isStuck || options.context.signal.aborted ? pdf.abandon() : pdf.close());
  }
}

/** A file that is open in a thread. */
export class OpenPdf {
  readonly #input: ExtractInput;
  readonly #options: OpenOptions;
  #thread: ParserThread | undefined;
  #task: PDFDocumentLoadingTask | undefined;
  #document: PDFDocumentProxy | undefined;
  #isStuck = false;
  /** Pieces of work that took too long so far. */
  #late = 0;

  constructor(input: ExtractInput, options: OpenOptions) {
    this.#input = input;
    this.#options = options;
  }

  /** The file as pdf.js has it; another one after {@link OpenPdf.reopen}. */
  get document(): PDFDocumentProxy {
    if (this.#document === undefined) throw new Error('the file is not open');
    return this.#document;
  }

  get numPages(): number {
    return this.document.numPages;
  }

  getPage(number: number): Promise<PDFPageProxy> {
    return this.document.getPage(number);
  }

  /** Whether the file will not answer any more, until it is opened again. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /**
   * Waits for work on the file, but not longer than a page may take, and half as long with every piece of work that took too
   * long. Errors: `timeout`, `cancelled`, and when it takes too much memory.
   */
  async limited<T>(work: Promise<T>, operation: string): Promise<T> {
    const { signal } = this.#options.context;
    const timeoutMs = Math.max(MIN_TIMEOUT_MS, this.#options.config.pageTimeoutMs / 2 ** this.#late);
    const memory = new MemoryWatch();
    const ends = this.#thread === undefined ? [memory.signal] : [memory.signal, this.#thread.broken];
    const broken = AbortSignal.any(ends);
    try {
      return await within(work, { signal, timeoutMs, operation, broken });
    } catch (error) {
      const isLate = isKebabError(error, 'timeout');
      if (isLate) this.#late++;
      this.#isStuck ||= isLate || broken.aborted;
      throw error;
    } finally {
      memory.stop();
    }
  }

  /** Opens the file. A file that needs no password is opened without one if the configured one is not its own. */
  async open(): Promise<void> {
    const { password } = this.#options.config;
    const { workspacePath } = this.#input.asset;
    try {
      await this.#openWith(password);
    } catch (error) {
      if (password === '' || !isPasswordRefused(error)) throw pdfFailure(error, workspacePath);
      await this.abandon();
      await this.#openWith('').catch(() => {
        throw pdfFailure(error, workspacePath);
      });
    }
  }

  async #openWith(password: string): Promise<void> {
    const { asset, bytes } = this.#input;
    const { canvasFactory } = this.#options;
    try {
      const { pdfjs, folder } = await loadPdfjs();
      this.#thread = await takeThread();
      this.#task = pdfjs.getDocument({
        worker: this.#thread.port,
        data: new Uint8Array(bytes), // it is taken away from whoever gives it
        password,
        verbosity: pdfjs.VerbosityLevel.ERRORS,
        isEvalSupported: false,
        useSystemFonts: false,
        disableFontFace: true, // else glyphs are lost when a page is rendered in Node
        cMapUrl: `${folder}/cmaps/`, // without them fonts that are not embedded give no text, and no error
        cMapPacked: true,
        standardFontDataUrl: `${folder}/standard_fonts/`,
        wasmUrl: `${folder}/wasm/`,
        iccUrl: `${folder}/iccs/`,
        maxImageSize: MAX_IMAGE_PIXELS,
        canvasMaxAreaInBytes: 4 * MAX_IMAGE_PIXELS,
        ...(canvasFactory === undefined ? {} : { CanvasFactory: canvasFactory }),
      });
      this.#document = await this.limited(this.#task.promise, `opening ${asset.workspacePath}`);
      const { numPages } = this.#document;
      if (!(numPages >= 1)) throw new Error(`it claims to have ${numPages} pages`);
    } finally {
      this.#thread?.unref();
    }
  }

  /** Opens the file again in another thread: the one it had will not answer. */
  async reopen(): Promise<void> {
    await this.abandon();
    await this.open();
  }

  /** Frees the file; its thread takes the next. */
  async close(): Promise<void> {
    const [thread, task] = [this.#thread, this.#task];
    if (thread === undefined || task === undefined) return;
    const never = new AbortController().signal;
    try {
      await within(task.destroy(), { signal: never, timeoutMs: DESTROY_MS, operation: 'closing it' });
      await giveBack(thread);
    } catch {
      await thread.kill();
    }
    this.#forget();
  }

  /** Ends the thread, and with it whatever is going on. */
  async abandon(): Promise<void> {
    await this.#thread?.kill();
    this.#forget();
  }

  #forget(): void {
    this.#thread = undefined;
    this.#task = undefined;
    this.#document = undefined;
    this.#isStuck = false;
  }
}

/** How long a piece of work may take, and who may stop it before. */
interface Limits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Names the work in the error. */
  readonly operation: string;
  /** Fires when the work can no longer succeed; its reason is the error. */
  readonly broken?: AbortSignal;
}

/**
 * Waits for a piece of work, but not beyond its limits; the work itself has to be stopped by the caller. Errors: `timeout`,
 * `cancelled`.
 */
export async function within<T>(work: Promise<T>, { signal, timeoutMs, operation, broken }: Limits): Promise<T> {
  const ends = broken === undefined ? signal : AbortSignal.any([signal, broken]);
  try {
    return await withDeadline(() => work, { operation, signal: ends, timeoutMs });
  } catch (error) {
    throw isKebabError(error, 'cancelled') && broken?.aborted === true && !signal.aborted ? broken.reason : error;
  }
}

/** What one piece of work on a file may add to the memory of the process, buffers and native memory included. */
const MAX_GROWTH = 1.5 * 1024 ** 3;
const LOOK_EVERY_MS = 100;

/**
 * Looks at the memory of the process while a file is worked on; the heap limit of a thread counts no buffers, and a kilobyte may
 * unpack into gigabytes of them. `signal` fires when too much was added, with an error as its reason. End it with `stop`.
 */
export class MemoryWatch {
  readonly #tooMuch = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(rss: () => number = () => process.memoryUsage.rss()) {
    const before = rss();
    this.#timer = setInterval(() => {
      if (rss() - before > MAX_GROWTH)
        this.#tooMuch.abort(new Error(`it takes more than ${MAX_GROWTH / 1024 ** 2} MB of memory`));
    }, LOOK_EVERY_MS);
    this.#timer.unref();
  }

  get signal(): AbortSignal {
    return this.#tooMuch.signal;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
