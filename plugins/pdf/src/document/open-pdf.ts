import { isKebabError, throwIfCancelled, type CallContext, type ExtractInput, withDeadline } from '@kebab/core';
import type { PDFDocumentLoadingTask, PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PdfConfig } from '../pdf-config.ts';
import { loadPdfjs } from './load-pdfjs.ts';
import { giveBack, takeThread, type ParserThread } from './parser-thread.ts';
import { isPasswordRefused, pdfFailure } from './pdf-failure.ts';

/** Larger images inside a page are not rendered. */
const MAX_IMAGE_PIXELS = 40e6;
/** How long freeing a file may take before its thread is terminated instead. */
const DESTROY_MS = 1000;
/** The minimum timeout of a page, however often its file was late. */
const MIN_TIMEOUT_MS = 1000;

/** Options for opening a file. */
export interface OpenOptions {
  readonly config: Pick<PdfConfig, 'password' | 'pageTimeoutMs'>;
  readonly context: Pick<CallContext, 'signal'>;
  /** Creates canvases when pages are rendered. */
  readonly canvasFactory?: (new () => object) | undefined;
}

/**
 * Opens a file, passes it to `use`, and frees everything afterwards in any case. Errors: `invalid_input` for a file that is encrypted,
 * too large or not a PDF, `timeout`, `cancelled`.
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
  /** The number of operations that timed out so far. */
  #late = 0;

  constructor(input: ExtractInput, options: OpenOptions) {
    this.#input = input;
    this.#options = options;
  }

  /** The document of pdf.js; a new one after {@link OpenPdf.reopen}. */
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

  /** Whether the file is unresponsive until it is reopened. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /**
   * Waits for an operation on the file, at most for the page timeout, which is halved with every operation that timed out. Errors:
   * `timeout`, `cancelled`, and an error if too much memory is used.
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

  /** Opens the file. If the configured password is rejected, tries to open it without one. */
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
        data: new Uint8Array(bytes), // a copy, because pdf.js transfers the buffer
        password,
        verbosity: pdfjs.VerbosityLevel.ERRORS,
        isEvalSupported: false,
        useSystemFonts: false,
        disableFontFace: true, // otherwise glyphs are missing when a page is rendered in Node
        cMapUrl: `${folder}/cmaps/`, // without them fonts that are not embedded yield no text, and no error
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

  /** Reopens the file in another thread, because the current one is unresponsive. */
  async reopen(): Promise<void> {
    await this.abandon();
    await this.open();
  }

  /** Frees the file; its thread is reused for the next. */
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

  /** Terminates the thread and all its work. */
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

/** Limits of an operation: its timeout and signals. */
interface Limits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The name of the operation in errors. */
  readonly operation: string;
  /** Fires when the operation can no longer succeed; its reason is the error. */
  readonly broken?: AbortSignal;
}

/** Waits for an operation within its limits; the caller has to stop the operation itself. Errors: `timeout`, `cancelled`. */
export async function within<T>(work: Promise<T>, { signal, timeoutMs, operation, broken }: Limits): Promise<T> {
  const ends = broken === undefined ? signal : AbortSignal.any([signal, broken]);
  try {
    return await withDeadline(() => work, { operation, signal: ends, timeoutMs });
  } catch (error) {
    throw isKebabError(error, 'cancelled') && broken?.aborted === true && !signal.aborted ? broken.reason : error;
  }
}

/** How much one operation on a file may add to the memory of the process, including buffers and native memory. */
const MAX_GROWTH = 1.5 * 1024 ** 3;
const LOOK_EVERY_MS = 100;

/**
 * Monitors the memory of the process while a file is processed: the heap limit of a thread does not include buffers, and a kilobyte may
 * decompress into gigabytes of them. `signal` fires with an error as its reason when too much was added. End it with `stop`.
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
