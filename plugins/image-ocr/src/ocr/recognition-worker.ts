import { once } from 'node:events';
import type { Worker as Thread } from 'node:worker_threads';
import { createRequire } from 'node:module';
import { withDeadline } from '@kebab/core';
import type tesseract from 'tesseract.js';
import type { PageReading, ReadLine } from './page-reading.ts';

/** How Tesseract segments a picture: as a page with columns, or as one block of lines. */
export type Segmentation = 'page' | 'block';

/** The options for starting a recognition worker. */
export interface WorkerStart {
  /** Preferred first. */
  readonly languages: readonly string[];
  /** A folder with the data of all of them. */
  readonly folder: string;
  /** The timeout for starting. */
  readonly timeoutMs: number;
}

const MODES: Readonly<Record<Segmentation, string>> = { page: '3', block: '6' };
/** Without a resolution Tesseract guesses one, and then splits columns wrongly. */
const DPI = '200';
const LSTM_ONLY = 1;

/** A Tesseract instance in its own thread. It reads one picture at a time, and must not be used after a failure. */
export class RecognitionWorker {
  readonly languages: string;
  /** Rejects when the thread ends, for any reason. */
  readonly #ended: Promise<never>;
  readonly #worker: tesseract.Worker;
  #isOver = false;

  private constructor(languages: string, worker: tesseract.Worker) {
    this.languages = languages;
    this.#worker = worker;
    this.#ended = endOf(worker);
  }

  /** Errors: a plain `Error` if it does not start in time. */
  static async start({ languages, folder, timeoutMs }: WorkerStart): Promise<RecognitionWorker> {
    const { default: library } = await import('tesseract.js');
    const starting = library.createWorker([...languages], LSTM_ONLY, {
      langPath: folder,
      gzip: true,
      cacheMethod: 'none', // otherwise the data is written into the working directory
      workerPath: quietWorkerUrl() as unknown as string, // passed to the thread unchanged
      errorHandler: () => {}, // otherwise an unreadable picture raises an uncaught exception in addition to the rejection
    });
    const worker = await inTime(starting, timeoutMs);
    return new RecognitionWorker(languages.join('+'), worker);
  }

  /** Reads the text of a picture. */
  async read(png: Buffer, segmentation: Segmentation): Promise<PageReading> {
    await this.#prepare(segmentation);
    const { data } = await this.#ask((worker) => worker.recognize(png, {}, { text: false, blocks: true }));
    return { confidence: data.confidence, columns: columnsOf(data.blocks ?? []) };
  }

  /** The heights of the words in a picture, in pixels, from layout analysis alone. */
  async wordHeights(png: Buffer): Promise<readonly number[]> {
    await this.#prepare('page');
    const { data } = await this.#ask((worker) => worker.recognize(png, {}, { text: false, layoutBlocks: true }));
    const { layoutBlocks } = data as unknown as { readonly layoutBlocks: readonly tesseract.Block[] | null };
    return linesOf(layoutBlocks ?? []).flatMap(({ words }) => words.map(({ bbox }) => bbox.y1 - bbox.y0));
  }

  async terminate(): Promise<void> {
    this.#isOver = true;
    await this.#worker.terminate();
    await this.#ended.catch(() => {});
  }

  async #prepare(segmentation: Segmentation): Promise<void> {
    const parameters = { tessedit_pageseg_mode: MODES[segmentation] as tesseract.PSM, user_defined_dpi: DPI };
    await this.#ask((worker) => worker.setParameters({ ...parameters, debug_file: '/dev/null' }));
  }

  /** Calls the library; after its end it would fail in a way that callers cannot catch. */
  #ask<T>(question: (worker: tesseract.Worker) => Promise<T>): Promise<T> {
    return this.#isOver ? this.#ended : Promise.race([question(this.#worker), this.#ended]);
  }
}

/** The library exposes its thread under the browser's property name. */
function endOf(worker: tesseract.Worker): Promise<never> {
  const { worker: thread } = worker as unknown as { readonly worker: Thread };
  const ended = once(thread, 'exit').then(
    ([code]) => {
      throw new Error(`the thread of Tesseract ended with code ${String(code)}`);
    },
    (error: unknown) => {
      throw error;
    },
  );
  ended.catch(() => {}); // the rejection reaches whoever awaits a result
  return ended;
}

async function inTime(starting: Promise<tesseract.Worker>, timeoutMs: number): Promise<tesseract.Worker> {
  const late = (): Error => new Error(`Tesseract did not start within ${timeoutMs / 1000} s`);
  try {
    return await withDeadline(() => starting, { operation: 'ocr', timeoutMs, late });
  } catch (error) {
    void starting.then(
      (worker) => worker.terminate(),
      () => {},
    );
    throw error instanceof Error ? error : new Error(String(error));
  }
}

function columnsOf(blocks: readonly tesseract.Block[]): PageReading['columns'] {
  return blocks.map((block) => linesOf([block]).map(readLine));
}

function linesOf(blocks: readonly tesseract.Block[]): readonly tesseract.Line[] {
  return blocks.flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines));
}

/** Uses the text of the line, because its words do not show where blanks are: in Korean they are parts of words. */
function readLine({ text, confidence, bbox, words }: tesseract.Line): ReadLine {
  const { x0, y0, x1, y1 } = bbox;
  return {
    text,
    confidence,
    box: {
      x0,
      y0,
      x1,
      y1,
    },
    words: words.map((word) => ({
      text: word.text,
      confidence: word.confidence,
    })),
  };
}

/**
 * The program of Tesseract's worker thread with its output disabled, because it would go to the output of the process. An uncaught failure
 * ends the thread, of which its owner is notified.
 */
function quietWorkerUrl(): URL {
  const require = createRequire(import.meta.url);
  const program = require.resolve('tesseract.js/src/worker-script/node/index.js');
  const source = [
    `import { createRequire } from 'node:module';`,
    `for (const say of ['log', 'info', 'warn', 'error', 'debug']) console[say] = () => {};`,
    `for (const stream of [process.stdout, process.stderr]) stream.write = () => true;`,
    `for (const failure of ['uncaughtException', 'unhandledRejection']) process.on(failure, () => process.exit(1));`,
    `createRequire(${JSON.stringify(program)})(${JSON.stringify(program)});`,
  ].join('\n');
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}
