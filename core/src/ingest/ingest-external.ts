import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { IngestOptions } from './ingest-options.ts';
import { mediaTypeOf } from '../domain/media.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import type { KebabError } from '../errors/kebab-error.ts';
import type { IngestReport } from '../wire/index.ts';
import { EXTERNAL_FOLDER } from '../documents/external-folder.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import { externalName, keepExternalCopy } from './run/external-copy.ts';
import type { FileHints } from './run/file-task.ts';
import { IngestEngine, type IngestPorts } from './run/ingest-engine.ts';
import { externalSource } from './run/ingest-sources.ts';
import { withFrontMatter, type TextOrigin } from './run/with-front-matter.ts';
import { ExternalConnector } from './scan/connectors.ts';
import { skipByContent, skipBySize } from './scan/skip-rules.ts';

/**
 * Takes in single documents from outside the sources: their bytes are copied into the workspace, and they stay until
 * that copy is removed. The same bytes again are the same document.
 */
export class IngestExternal {
  readonly #ports: IngestPorts;
  readonly #engine: IngestEngine;

  /** `isolated` runs the extractors that want a thread of their own; null runs them on the calling thread. */
  constructor(ports: IngestPorts, isolated: ExtractionHost | null) {
    this.#ports = ports;
    this.#engine = new IngestEngine({ ports, isolated });
  }

  /** Errors: `invalid_input` for a type that nothing reads or a file over the limits, `io_error`, `locked`. */
  async ingestFile(path: string, options: IngestOptions = {}): Promise<IngestReport> {
    const absolute = resolve(path);
    if (!statSync(absolute).isFile()) throw unfit(path, 'is not a file');
    const bytes = readFileSync(absolute);
    const fileName = basename(absolute);
    await this.#check(path, fileName, bytes);
    return this.#take(bytes, { title: null, fileName, origin: absolute }, options);
  }

  /** Takes in Markdown. Its own front matter stays as it is; `title` then only fills a missing title. */
  async ingestText(content: string, origin: TextOrigin, options: IngestOptions = {}): Promise<IngestReport> {
    if (origin.title.trim() === '') throw invalidInput('a text needs a title', { field: 'title', value: origin.title });
    const bytes = Buffer.from(withFrontMatter(content, origin), 'utf8');
    const fileName = 'text.md';
    await this.#check(origin.title, fileName, bytes);
    return this.#take(bytes, { title: origin.title, fileName, origin: origin.sourceUri ?? null }, options);
  }

  async #take(bytes: Uint8Array, hints: FileHints, options: IngestOptions): Promise<IngestReport> {
    const source = externalSource(this.#ports.config);
    return this.#engine.run({
      options,
      hints,
      open: async () => {
        const name = externalName(bytes, hints.fileName);
        if (name === null)
          throw unfit(hints.fileName, 'has a type that only its name tells, and a copy cannot keep the name');
        keepExternalCopy(source.root, name, bytes);
        return [{ ...source, connector: new ExternalConnector({ folder: EXTERNAL_FOLDER, only: name }) }];
      },
    });
  }

  async #check(path: string, fileName: string, bytes: Uint8Array): Promise<void> {
    const media = mediaTypeOf(fileName);
    const extractors = await this.#ports.extractors.all();
    if (!extractors.some((extractor) => extractor.supports(media)))
      throw unfit(path, 'has a type that kebab does not read');
    const limits = { ...this.#ports.config, code: { ...this.#ports.config.code, skipGenerated: false } };
    const counter = skipBySize(bytes.length, media, limits) ?? skipByContent(bytes, media, limits);
    if (counter === 'size_exceeded') throw unfit(path, 'is larger than the configuration allows');
    if (counter !== null) throw unfit(path, 'holds no text');
  }
}

function unfit(path: string, why: string): KebabError<'invalid_input'> {
  return invalidInput(`${path} ${why}`, { field: 'path', value: path });
}
