import { fstatSync, writeSync } from 'node:fs';
import { printable } from '@kebab/core/app';
import type { TextOutput } from './printer.ts';

const RETRY_MS = 5;
const COLUMNS_WHEN_UNKNOWN = 80;

/** The system calls that this file needs; tests replace them. */
export interface FileCalls {
  readonly write: (fd: number, bytes: Uint8Array, offset: number) => number;
  readonly isCharacterDevice: (fd: number) => boolean;
}

const SYSTEM: FileCalls = {
  write: (fd, bytes, offset) => writeSync(fd, bytes, offset),
  isCharacterDevice: (fd) => fstatSync(fd).isCharacterDevice(),
};

/**
 * Standard output or standard error, written by file descriptor: building `process.stdout` costs a tenth of a cold search.
 * A pipe whose reader is slow (EAGAIN) keeps the rest queued in order; one without a reader (EPIPE) closes the output.
 */
export class FileOutput implements TextOutput {
  readonly #fd: 1 | 2;
  readonly #calls: FileCalls;
  #queue: Uint8Array[] = [];
  #closed = false;
  #isWaiting = false;
  #terminal: boolean | undefined;

  constructor(fd: 1 | 2, calls: FileCalls = SYSTEM) {
    this.#fd = fd;
    this.#calls = calls;
  }

  get isTerminal(): boolean {
    this.#terminal ??= this.#calls.isCharacterDevice(this.#fd) && this.#stream().isTTY === true;
    return this.#terminal;
  }

  get columns(): number | null {
    return this.isTerminal ? this.#stream().columns || COLUMNS_WHEN_UNKNOWN : null; // a terminal may not know its size
  }

  get rows(): number | null {
    return this.isTerminal ? this.#stream().rows || null : null;
  }

  get closed(): boolean {
    return this.#closed;
  }

  write(text: string): void {
    if (this.#closed || text === '') return;
    this.#queue.push(Buffer.from(text, 'utf8'));
    this.#drain();
  }

  discard(): void {
    this.#queue = [];
  }

  async flush(): Promise<void> {
    while (this.#queue.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      this.#drain();
    }
  }

  /** Writes as much as the reader accepts. */
  #drain(): void {
    try {
      for (let bytes = this.#queue[0]; bytes !== undefined; bytes = this.#queue[0]) {
        const written = this.#calls.write(this.#fd, bytes, 0);
        if (written < bytes.length) this.#queue[0] = bytes.subarray(written);
        else this.#queue.shift();
      }
    } catch (error) {
      this.#handle(error);
    }
  }

  #handle(error: unknown): void {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EAGAIN') return this.#later();
    this.#queue = [];
    this.#closed = true;
    if (code !== 'EPIPE' && code !== 'EOF') throw error;
  }

  /** Schedules writing the rest of the queue; when a command ends, `flush` writes it. */
  #later(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      this.#drain();
    }, RETRY_MS).unref();
  }

  /** Not every character device is a terminal: the null device has neither member. */
  #stream(): { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number } {
    return this.#fd === 1 ? process.stdout : process.stderr;
  }
}

/** Writes a last line to standard error synchronously, while the process exits. */
export function writeLastLine(text: string): void {
  writeSync(2, `${printable(text)}\n`);
}

/**
 * Redirects `console.log` and `process.stdout.write` to standard error: standard output is only for the output of the command, which is
 * written by file descriptor.
 */
export function printToStandardError(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

/**
 * The same if standard output carries a protocol: code that writes to the stream object is redirected to standard error, too. A client that
 * does not read cannot delay a signal: creating the stream makes the pipe non-blocking.
 */
export function keepOutputClean(): void {
  void process.stdout;
  Object.defineProperty(process, 'stdout', { configurable: true, get: () => process.stderr });
}
