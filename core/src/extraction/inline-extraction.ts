import type { CallContext } from '../contracts/contribution.ts';
import type { Chunker } from '../contracts/chunker.ts';
import type { CanonicalDocument, ChunkDraft } from '../domain/document.ts';
import { firstChars } from '../domain/text-size.ts';
import type { ExtractedDocument, ExtractInput, Picture } from '../contracts/extractor.ts';
import type { Ports } from '../ports.ts';
import { type ComponentName, pluginOf } from '../plugin/components.ts';
import { firstLine, type FailureSite } from '../plugin/plugin-failure.ts';
import { assembleDocument } from './document/assemble-document.ts';
import { brokenExtraction, brokenSlices } from './document/check-promises.ts';
import { misshapenExtraction, misshapenPicture, misshapenSlices } from './document/check-shapes.ts';
import { spanMismatch } from './fitting-chunker.ts';
import {
  type ChunkedDocument,
  type ChunkJob,
  type Extraction,
  ExtractionHost,
  type ExtractionJob,
  type ExtractionRequest,
  type NamedPlugin,
  type RenderJob,
} from './extraction-job.ts';

/** Callbacks of {@link InlineExtraction}. */
export interface ExtractionListeners {
  /** Called before a document is chunked by another plugin than the one that extracted it. */
  readonly onChunking?: ((plugin: NamedPlugin) => void) | undefined;
}

/** Runs extractors and chunkers on the calling thread. */
export class InlineExtraction extends ExtractionHost {
  readonly #ports: Pick<Ports, 'extractors' | 'chunkers' | 'log'>;
  readonly #listeners: ExtractionListeners;

  constructor(ports: Pick<Ports, 'extractors' | 'chunkers' | 'log'>, listeners: ExtractionListeners = {}) {
    super();
    this.#ports = ports;
    this.#listeners = listeners;
  }

  run({ kind, job }: ExtractionRequest, signal: AbortSignal): Promise<unknown> {
    switch (kind) {
      case 'extract':
        return this.extract(job, signal);
      case 'render':
        return this.render(job, signal);
      case 'chunk':
        return this.chunk(job);
      default:
        return kind satisfies never;
    }
  }

  override async extract(job: ExtractionJob, signal: AbortSignal): Promise<Extraction> {
    const { extracted, hasSecrets } = await this.#withoutSecrets(job, await this.#extracted(job, signal));
    const document = assembleDocument({ ...job.parts, extracted, agent: `${job.plugin.name}@${job.plugin.version}` });
    const { policy, plugin, chunkerPlugin } = job;
    const chunkerId = extracted.chunkerId ?? job.chunkerId;
    const chunkedBy = pluginOf(this.#ports.chunkers.names(), chunkerId);
    if (plugin.name !== chunkedBy.name) this.#listeners.onChunking?.(chunkedBy);
    const { drafts } = await this.chunk({ document, chunkerId, chunkerPlugin, policy });
    const { warnings = [], pictures = [] } = extracted;
    const wanted = job.readings === undefined ? pictures : [];
    return { document, drafts, chunkerId, warnings, pictures: wanted, ...(hasSecrets ? { hasSecrets } : {}) };
  }

  async #withoutSecrets(
    { redacts, parts }: ExtractionJob,
    extracted: ExtractedDocument,
  ): Promise<{ readonly extracted: ExtractedDocument; readonly hasSecrets: boolean }> {
    if (redacts !== true) return { extracted, hasSecrets: false };
    const { redactDocument } = await import('./secrets/redact.ts');
    return redactDocument(extracted, parts.asset.workspacePath);
  }

  override async render(
    { extractorId, plugin, asset, request, ...job }: RenderJob,
    signal: AbortSignal,
  ): Promise<Picture> {
    const extractor = await this.#ports.extractors.get(extractorId);
    const named = this.#named('extractors', extractorId);
    try {
      if (extractor.render === undefined) throw new Error('it asks for pictures but cannot render them');
      const { toPlugin, fromPlugin } = boundaryOf(named);
      const input = { ...inputOf(job), asset: toPlugin(asset) };
      return fromPlugin(await extractor.render(input, toPlugin(request), this.#context(signal)), misshapenPicture);
    } catch (error) {
      throw await failure(error, { plugin, kind: 'extractor', stage: 'render', path: asset.workspacePath }, named);
    }
  }

  /** Chunks an extracted or stored document. */
  override async chunk({ document, chunkerId, policy }: ChunkJob): Promise<ChunkedDocument> {
    const chunker = await this.#ports.chunkers.get(chunkerId);
    const plugin = pluginOf(this.#ports.chunkers.names(), chunkerId);
    requireSpans(chunker, document, plugin.name);
    const named = this.#named('chunkers', chunkerId);
    try {
      const { toPlugin, fromPlugin } = boundaryOf(named);
      const drafts = fromPlugin(chunker.chunk(toPlugin(document), toPlugin(policy)), misshapenSlices);
      const broken = brokenSlices(document, drafts);
      if (broken !== null) throw new Error(broken);
      return { drafts: drafts.length === 0 ? [draftOf(document)] : drafts, chunkerId };
    } catch (error) {
      throw await failure(error, { plugin, kind: 'chunker', stage: 'chunk', path: document.workspacePath }, named);
    }
  }

  async #extracted(job: ExtractionJob, signal: AbortSignal): Promise<ExtractedDocument> {
    const { asset } = job.parts;
    const { plugin, extractorId } = job;
    const extractor = await this.#ports.extractors.get(extractorId);
    const named = this.#named('extractors', extractorId);
    try {
      const { toPlugin, fromPlugin } = boundaryOf(named);
      const input = { ...inputOf(job), asset: toPlugin(asset) };
      const extracted = fromPlugin(await extractor.extract(input, this.#context(signal)), misshapenExtraction);
      const broken = brokenExtraction(extracted) ?? this.#unknownChunker(extracted);
      if (broken !== null) throw new Error(broken);
      return extracted;
    } catch (error) {
      throw await failure(error, { plugin, kind: 'extractor', stage: 'extract', path: asset.workspacePath }, named);
    }
  }

  #unknownChunker({ chunkerId }: ExtractedDocument): string | null {
    if (chunkerId === undefined || this.#ports.chunkers.names().some(({ id }) => id === chunkerId)) return null;
    return `it names the chunker ${JSON.stringify(chunkerId)}, which no active plugin contributes`;
  }

  #named(catalog: 'extractors' | 'chunkers', wanted: string): ComponentName | undefined {
    return this.#ports[catalog].names().find(({ id }) => id === wanted);
  }

  #context(signal: AbortSignal): CallContext {
    return { signal, log: this.#ports.log, progress: () => {} };
  }
}

const MAX_STAND_IN = 1500;

/**
 * What stands for a document of whose text a chunker makes nothing, such as front matter alone, or no text at all: its first lines, which
 * may be none. It is found by its file name, title, tags, aliases and metadata.
 */
function draftOf({ text }: CanonicalDocument): ChunkDraft {
  const start = text.length - text.trimStart().length;
  const whole = text.slice(start).trimEnd();
  if (whole === '') return { start: 0, end: 0 };
  const cut = firstChars(whole, MAX_STAND_IN);
  const lines = cut.length < whole.length ? cut.slice(0, cut.lastIndexOf('\n') + 1).trimEnd() : cut;
  return { start, end: start + (lines === '' ? cut : lines).length };
}

/** How data is passed between kebab and a contribution. */
interface Boundary {
  readonly toPlugin: <T>(value: T) => T;
  /** Throws for an invalid answer. */
  readonly fromPlugin: <T>(answer: T, faultIn: (answer: T) => string | null) => T;
}

function boundaryOf(name: ComponentName | undefined): Boundary {
  return name?.policy.isolation === 'sandboxed' ? COPIED : SHARED;
}

/** A failure is rare, so what explains it is loaded here. */
async function failure(error: unknown, site: FailureSite, name: ComponentName | undefined): Promise<Error> {
  const { failureOnFile } = await import('../plugin/guard/guard.ts');
  return failureOnFile(error, site, name);
}

/** For trusted contributions: no copies and no checks of shape. Ranges, spans and slices are checked for all contributions. */
const SHARED: Boundary = { toPlugin: (value) => value, fromPlugin: (answer) => answer };

const COPIED: Boundary = {
  toPlugin: (value) => structuredClone(value),
  fromPlugin: (answer, faultIn) => {
    const taken = copied(answer);
    const fault = faultIn(taken);
    if (fault !== null) throw new Error(fault);
    return taken;
  },
};

/** Copies plain data. Throws for anything else, such as functions. */
function copied<T>(answer: T): T {
  try {
    return structuredClone(answer);
  } catch (error) {
    throw new Error(`its answer is not data: ${firstLine(error)}`, { cause: error });
  }
}

function inputOf({ bytes, readings }: Pick<ExtractionJob, 'bytes' | 'readings'>): Omit<ExtractInput, 'asset'> {
  return { bytes, ...(readings === undefined ? {} : { readings }) };
}

/** Throws `plugin_incompatible` if the chunker does not support the spans of the extractor. */
function requireSpans(chunker: Chunker, { blocks }: CanonicalDocument, plugin: string): void {
  const mismatch = spanMismatch(
    chunker,
    blocks.slice(0, 1).map(({ sourceSpan }) => sourceSpan.kind),
    plugin,
  );
  if (mismatch !== null) throw mismatch;
}
