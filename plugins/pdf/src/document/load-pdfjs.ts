import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';

/** pdf.js with what lies beside it. */
export interface PdfLibrary {
  readonly pdfjs: typeof Pdfjs;
  /** The folder of the package, which holds `cmaps`, `standard_fonts`, `wasm` and `iccs`. */
  readonly folder: string;
  /** The module that parses files, as a URL: it runs in a thread of its own. */
  readonly parserUrl: string;
}

let loading: Promise<PdfLibrary> | undefined;

/** Loads pdf.js, once for each thread. */
export function loadPdfjs(): Promise<PdfLibrary> {
  return (loading ??= load());
}

async function load(): Promise<PdfLibrary> {
  const { resolve } = createRequire(import.meta.url);
  replaceMatrixWithoutCanvas(resolve);
  const prototype = Array.prototype as { push: (...items: readonly unknown[]) => number };
  const { push } = prototype;
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs');
  // In Node 20 the legacy build replaces this built-in by a slower one of its own, for everything in this thread.
  prototype.push = push;
  return {
    pdfjs,
    folder: path.dirname(resolve('pdfjs-dist/package.json')),
    parserUrl: pathToFileURL(resolve('pdfjs-dist/legacy/build/pdf.worker.mjs')).href,
  };
}

/** The library that draws pages brings a class of which pdf.js makes one as it is loaded; reading text never uses it. */
function replaceMatrixWithoutCanvas(resolve: (specifier: string) => string): void {
  try {
    resolve('@napi-rs/canvas');
  } catch {
    const scope = globalThis as { DOMMatrix?: unknown };
    scope.DOMMatrix ??= Object; // whatever can be made
  }
}
