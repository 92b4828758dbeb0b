import { readFileSync, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CanonicalDocument, ChunkDraft, Chunker, Extractor, Plugin, PluginContext } from '@kebab/plugin';
import { DEFAULT_POLICY, extractDocument, silentCallContext } from '@kebab/plugin/testing';
import type { CodeConfig } from '../language-pack.ts';
import { chunkerIdOf } from '../code-chunker.ts';
import { SourceText } from '../piece-cutter.ts';

/** Long enough for a busy machine: only the test of the limit itself may reach it. */
const PATIENT_MS = 120_000;

/** One language of a plugin under test; its parser has practically no timeout by default. */
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

  /** The document of a file, and its chunks with the default policy. */
  async read(
    path: string,
    content: string | Uint8Array,
  ): Promise<{ readonly document: CanonicalDocument; readonly chunks: readonly ChunkDraft[] }> {
    const document = await extractDocument(await (this.#reader ??= this.extractor()), path, content);
    return { document, chunks: (await this.chunker()).chunk(document, DEFAULT_POLICY) };
  }

  /** The symbols of the units of a file; empty where a unit has none. */
  async symbols(path: string, content: string): Promise<readonly string[]> {
    const { chunks } = await this.read(path, content);
    return chunks.map(({ symbol = '' }) => symbol);
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

/** Lists chunks as `<first line>-<last line> <symbol>`, one per line; without a symbol as `-`. */
export function listUnits({ text }: CanonicalDocument, chunks: readonly ChunkDraft[]): string {
  const source = new SourceText(text);
  return chunks
    .map(({ start, end, symbol = '-' }) => {
      const lines = source.linesOf(start, end);
      return `${lines.start}-${lines.end} ${symbol}\n`;
    })
    .join('');
}

/** One file of a sample. */
export interface SampledFile {
  /** Relative to the sampled folder, with `/` between segments. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Larger files are not parsed. */
const MAX_BYTES = 1_048_576;

/**
 * At most `limit` files with one of the extensions (`.ts`), spread evenly over a folder in the order of their paths; links
 * are not followed. None when the folder is absent or holds no such file.
 */
export function sampleFiles(
  folder: URL,
  { extensions, limit }: { readonly extensions: readonly string[]; readonly limit: number },
): readonly SampledFile[] {
  const root = fileURLToPath(folder);
  const paths = [...pathsBelow(root, extensions)];
  const step = Math.max(1, paths.length / limit);
  return paths
    .filter((_path, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
    .filter((path) => statSync(path).size <= MAX_BYTES)
    .map((path) => ({ path: path.slice(root.length).replaceAll('\\', '/'), bytes: readFileSync(path) }));
}

function* pathsBelow(folder: string, extensions: readonly string[]): Generator<string> {
  for (const name of namesIn(folder)) {
    const path = join(folder, name.text);
    if (name.isFolder) yield* pathsBelow(path, extensions);
    else if (extensions.includes(extname(name.text))) yield path;
  }
}

function namesIn(folder: string): readonly { readonly text: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({ text: entry.name, isFolder: entry.isDirectory() }))
      .toSorted((one, other) => (one.text < other.text ? -1 : 1));
  } catch {
    return [];
  }
}

/** The file without the middle third of its bytes, like an unfinished edit, which causes syntax errors. */
export function damaged({ path, bytes }: SampledFile): SampledFile {
  const third = Math.floor(bytes.length / 3);
  return { path, bytes: Buffer.concat([bytes.subarray(0, third), bytes.subarray(2 * third)]) };
}
