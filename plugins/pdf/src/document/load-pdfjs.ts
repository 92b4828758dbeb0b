import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';

/** pdf.js with its resources. */
export interface PdfLibrary {
  readonly pdfjs: typeof Pdfjs;
  /** The folder of the package, with `cmaps`, `standard_fonts`, `wasm` and `iccs`. */
  readonly folder: string;
  /** The URL of the module that parses files, in a separate thread. */
  readonly parserUrl: string;
}

let loading: Promise<PdfLibrary> | undefined;

/** Loads pdf.js, once per thread. */
export function loadPdfjs(): Promise<PdfLibrary> {
  return (loading ??= load());
}

async function load(): Promise<PdfLibrary> {
  const { resolve } = createRequire(import.meta.url);
  replaceMatrixWithoutCanvas(resolve);
  const prototype = Array.prototype as { push: (...items: readonly unknown[]) => number };
  const { push } = prototype;
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs');
  // On Node 20 the legacy build replaces this built-in by a slower one, for all code in this thread.
  prototype.push = push;
  return {
    pdfjs,
    folder: path.dirname(resolve('pdfjs-dist/package.json')),
    parserUrl: pathToFileURL(resolve('pdfjs-dist/legacy/build/pdf.worker.mjs')).href,
  };
}

/** Provides a substitute for a class of the canvas library, which pdf.js instantiates when it is loaded; reading text never uses it. */
function replaceMatrixWithoutCanvas(resolve: (specifier: string) => string): void {
  try {
    resolve('@napi-rs/canvas');
  } catch {
    const scope = globalThis as { DOMMatrix?: unknown };
    scope.DOMMatrix ??= Object; // any constructor will do
  }
}
