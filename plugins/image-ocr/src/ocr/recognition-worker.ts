import { once } from 'node:events';
import type { Worker as Thread } from 'node:worker_threads';
import { createRequire } from 'node:module';
import { withDeadline } from '@kebab/core';
import type tesseract from 'tesseract.js';
import type { PageReading, ReadLine } from './page-reading.ts';

/** How Tesseract is to look for text: as a page with columns, or as one block of lines. */
export type Segmentation = 'page' | 'block';

/** What a recognition worker is started with. */
export interface WorkerStart {
  /** Preferred first. */
  readonly languages: readonly string[];
  /** A folder that holds the data of all of them. */
  readonly folder: string;
  /** What starting may take. */
  readonly timeoutMs: number;
}

const MODES: Readonly<Record<Segmentation, string>> = { page: '3', block: '6' };
/** Without one Tesseract guesses, and then splits columns falsely. */
const DPI = '200';
const LSTM_ONLY = 1;

/** One Tesseract in a thread of its own. It reads one picture at a time; after a failure it is of no more use. */
export class RecognitionWorker {
  readonly languages: string;
  /** Rejects when the thread ends, for whatever reason. */
  readonly #ended: Promise<never>;
  readonly #worker: tesseract.Worker;
  #isOver = false;

  private constructor(languages: string, worker: tesseract.Worker) {
    this.languages = languages;
    this.#worker = worker;
    this.#ended = endOf(worker);
  }

  /** Errors: a plain `Error` when it does not start in time. */
  static async start({ languages, folder, timeoutMs }: WorkerStart): Promise<RecognitionWorker> {
    const { default: library } = await import('tesseract.js');
    const starting = library.createWorker([...languages], LSTM_ONLY, {
      langPath: folder,
      gzip: true,
      cacheMethod: 'none', // else the data is written into the working directory
      workerPath: quietWorkerUrl() as unknown as string, // it is handed to the thread as it is
      errorHandler: () => {}, // else a picture that cannot be read is an uncaught exception besides the rejection
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

  /** The heights of the words in a picture, in pixels, as the layout shows them; nothing is read. */
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

  /** The library fails where no caller can hear it when it is asked after its end. */
  #ask<T>(question: (worker: tesseract.Worker) => Promise<T>): Promise<T> {
    return this.#isOver ? this.#ended : Promise.race([question(this.#worker), this.#ended]);
  }
}

/** What the library hands out has the thread under the name that it has in a browser. */
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
  ended.catch(() => {}); // whoever waits for an answer hears it
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

/** The words of a line do not say where blanks are: in Korean they are pieces of words. */
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
 * The program of Tesseract's worker thread, with everything that it prints turned off: the thread would write into the
 * output of the process. An uncaught failure ends the thread, which its owner hears.
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
