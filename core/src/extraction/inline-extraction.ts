import type { CallContext } from '../contracts/contribution.ts';
import type { Chunker } from '../contracts/chunker.ts';
import type { CanonicalDocument } from '../domain/document.ts';
import type { ExtractedDocument, ExtractInput, Picture } from '../contracts/extractor.ts';
import type { Ports } from '../ports.ts';
import { firstLine, pluginFailure } from '../plugin/plugin-failure.ts';
import { assembleDocument } from './document/assemble-document.ts';
import { brokenExtraction, brokenSlices } from './document/check-promises.ts';
import type {
  CutDocument,
  CutJob,
  Extraction,
  ExtractionHost,
  ExtractionJob,
  NamedPlugin,
  RenderJob,
} from './extraction-job.ts';

/** Who hears of what is done. */
export interface ExtractionListeners {
  /** Called before a document goes to the chunker of another plugin than that of its extractor. */
  readonly onChunking?: ((plugin: NamedPlugin) => void) | undefined;
}

/** Runs extractors and chunkers on the calling thread. */
export class InlineExtraction implements ExtractionHost {
  readonly #ports: Pick<Ports, 'extractors' | 'chunkers' | 'log'>;
  readonly #listeners: ExtractionListeners;

  constructor(ports: Pick<Ports, 'extractors' | 'chunkers' | 'log'>, listeners: ExtractionListeners = {}) {
    this.#ports = ports;
    this.#listeners = listeners;
  }

  async extract(job: ExtractionJob, signal: AbortSignal): Promise<Extraction> {
    const { extracted, hasSecrets } = await this.#withoutSecrets(job, await this.#extracted(job, signal));
    const document = assembleDocument({ ...job.parts, extracted, agent: `${job.plugin.name}@${job.plugin.version}` });
    const { policy, plugin, chunkerPlugin } = job;
    const chunkerId = extracted.chunkerId ?? job.chunkerId;
    const chunkedBy = this.#pluginOf(chunkerId);
    if (plugin.name !== chunkedBy.name) this.#listeners.onChunking?.(chunkedBy);
    const { drafts } = await this.cut({ document, chunkerId, chunkerPlugin, policy });
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

  async render({ extractorId, plugin, asset, request, ...job }: RenderJob, signal: AbortSignal): Promise<Picture> {
    const extractor = await this.#ports.extractors.get(extractorId);
    try {
      if (extractor.render === undefined) throw new Error('it asks for pictures but cannot render them');
      const copy = this.#copierFor('extractors', extractorId);
      return copy(
        await extractor.render({ ...inputOf(job), asset: copy(asset) }, copy(request), this.#context(signal)),
      );
    } catch (error) {
      throw pluginFailure(error, { plugin, kind: 'extractor', stage: 'render', path: asset.workspacePath });
    }
  }

  /** Cuts a document that is there already. */
  async cut({ document, chunkerId, policy }: CutJob): Promise<CutDocument> {
    const chunker = await this.#ports.chunkers.get(chunkerId);
    const path = document.workspacePath;
    try {
      const copy = this.#copierFor('chunkers', chunkerId);
      const drafts = copy(chunker.chunk(copy(document), copy(policy)));
      const broken = unmetNeed(chunker, document) ?? brokenSlices(document, drafts);
      if (broken !== null) throw new Error(broken);
      return { drafts, chunkerId };
    } catch (error) {
      throw pluginFailure(error, { plugin: this.#pluginOf(chunkerId), kind: 'chunker', stage: 'chunk', path });
    }
  }

  async close(): Promise<void> {
    // Nothing runs between calls.
  }

  async #extracted(job: ExtractionJob, signal: AbortSignal): Promise<ExtractedDocument> {
    const { asset } = job.parts;
    const extractor = await this.#ports.extractors.get(job.extractorId);
    try {
      const copy = this.#copierFor('extractors', job.extractorId);
      const extracted = copy(await extractor.extract({ ...inputOf(job), asset: copy(asset) }, this.#context(signal)));
      const broken = brokenExtraction(extracted);
      if (broken !== null) throw new Error(broken);
      return extracted;
    } catch (error) {
      const site = { plugin: job.plugin, kind: 'extractor', stage: 'extract', path: asset.workspacePath };
      throw pluginFailure(error, site);
    }
  }

  /** What is done with everything that a contribution is given and answers. */
  #copierFor(catalog: 'extractors' | 'chunkers', wanted: string): <T>(value: T) => T {
    const named = this.#ports[catalog].names().find(({ id }) => id === wanted);
    return named?.policy.data === 'copied' ? copied : itself;
  }

  #context(signal: AbortSignal): CallContext {
    return { signal, log: this.#ports.log, progress: () => {} };
  }

  #pluginOf(chunkerId: string): NamedPlugin {
    const named = this.#ports.chunkers.names().find(({ id }) => id === chunkerId);
    return { name: named?.plugin ?? chunkerId, version: named?.pluginVersion ?? '' };
  }
}

function itself<T>(value: T): T {
  return value;
}

/** A copy of data. Throws for what is none, such as functions. */
function copied<T>(value: T): T {
  try {
    return structuredClone(value);
  } catch (error) {
    throw new Error(`its answer is not data: ${firstLine(error)}`, { cause: error });
  }
}

function inputOf({ bytes, readings }: Pick<ExtractionJob, 'bytes' | 'readings'>): Omit<ExtractInput, 'asset'> {
  return { bytes, ...(readings === undefined ? {} : { readings }) };
}

function unmetNeed({ needs, id }: Chunker, { blocks }: CanonicalDocument): string | null {
  const given = blocks[0]?.sourceSpan.kind;
  if (given === undefined || needs.spans.includes(given)) return null;
  return `chunker ${id} needs ${needs.spans.join(' or ')} spans, the extractor gives ${given} spans`;
}
