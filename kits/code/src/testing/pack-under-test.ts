import type { CanonicalDocument, ChunkDraft, Chunker, Extractor, Plugin, PluginContext } from '@kebab/plugin';
import { DEFAULT_POLICY, extractDocument, silentCallContext } from '@kebab/plugin/testing';
import type { CodeConfig } from '../code-config.ts';
import { chunkerIdOf } from '../code-chunker.ts';
import { SourceText } from '../source-text.ts';

/** Long enough for a machine that has other things to do: only the test of the limit itself may reach it. */
const PATIENT_MS = 120_000;

/** One language of a plugin, made ready to be tried; its parser has all the time it wants unless told otherwise. */
export class PackUnderTest {
  readonly #plugin: Plugin<CodeConfig>;
  readonly #lang: string;
  readonly #parseTimeoutMs: number;
  #reader: Promise<Extractor> | undefined;

  constructor(plugin: Plugin<CodeConfig>, lang: string, parseTimeoutMs: number = PATIENT_MS) {
    this.#plugin = plugin;
    this.#lang = lang;
    this.#parseTimeoutMs = parseTimeoutMs;
  }

  /** A fresh extractor. */
  extractor(parseTimeoutMs: number = this.#parseTimeoutMs): Promise<Extractor> {
    return make(this.#plugin.contributes.extractor, `code-${this.#lang}`, { parseTimeoutMs });
  }

  /** A fresh chunker. */
  chunker(): Promise<Chunker> {
    return make(this.#plugin.contributes.chunker, chunkerIdOf(this.#lang), { parseTimeoutMs: this.#parseTimeoutMs });
  }

  /** A file as a document, and its chunks under the default policy. */
  async read(
    path: string,
    content: string | Uint8Array,
  ): Promise<{ readonly document: CanonicalDocument; readonly chunks: readonly ChunkDraft[] }> {
    const document = await extractDocument(await (this.#reader ??= this.extractor()), path, content);
    return { document, chunks: (await this.chunker()).chunk(document, DEFAULT_POLICY) };
  }

  /** The units of a file, listed. */
  async list(path: string, content: string | Uint8Array): Promise<string> {
    const { document, chunks } = await this.read(path, content);
    return listUnits(document, chunks);
  }
}

async function make<T>(
  factories: Readonly<Record<string, (context: PluginContext<CodeConfig>) => T | Promise<T>>> | undefined,
  id: string,
  config: CodeConfig,
): Promise<T> {
  const factory = factories?.[id];
  if (factory === undefined) throw new Error(`the plugin does not contribute ${id}`);
  return factory({
    config,
    log: silentCallContext().log,
    cache: { get: () => undefined, set: () => undefined },
    tmpDir: '',
    clock: { now: () => new Date(0) },
  });
}

/** Chunks as a page to read: `<first line>-<last line> <symbol>`, one a line; chunks without a symbol say `-`. */
export function listUnits({ text }: CanonicalDocument, chunks: readonly ChunkDraft[]): string {
  const source = new SourceText(text);
  return chunks
    .map(({ start, end, symbol = '-' }) => {
      const lines = source.linesOf(start, end);
      return `${lines.start}-${lines.end} ${symbol}\n`;
    })
    .join('');
}
