import type { DocumentStore } from '../contracts/document-store.ts';
import type { Extractor, Picture, RenderRequest } from '../contracts/extractor.ts';
import type { RawAsset } from '../domain/asset.ts';
import type { CanonicalDocument } from '../domain/document.ts';
import { cancelled } from '../errors/abort.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { CrashGuard } from '../extraction/crash-guard.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import { InlineExtraction } from '../extraction/inline-extraction.ts';
import type { ComponentName } from '../plugin/components.ts';
import type { Ports } from '../ports.ts';
import { pluginFailure } from '../plugin/plugin-failure.ts';

/** The ports of rendering. */
export type RenderPorts = Pick<Ports, 'extractors' | 'chunkers' | 'log'> & {
  /** Threads for one picture; null renders it on the calling thread. */
  readonly extraction: () => Promise<ExtractionHost | null>;
};

/** What is known of the knowledge base that the file belongs to. */
interface RenderOptions {
  readonly store: Pick<DocumentStore, 'quarantined'>;
  readonly signal?: AbortSignal | undefined;
}

/** A file, and the picture of it that is wanted. */
export interface FileToRender {
  /** The document that was made of it. */
  readonly document: CanonicalDocument;
  readonly asset: RawAsset;
  readonly bytes: Uint8Array;
  readonly request: RenderRequest;
}

/** An extractor, and the plugin it comes from. */
interface Maker {
  readonly extractor: Extractor;
  readonly named: ComponentName;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Renders a picture of a file by the extractor that made its document, within the limits of extraction. Errors:
 * `invalid_input` when that extractor is there no more or renders nothing, and those of the extractor.
 */
export async function renderFile(
  { extractors, chunkers, extraction, log }: RenderPorts,
  file: FileToRender,
  { store, signal = new AbortController().signal }: RenderOptions,
): Promise<Picture> {
  const { document, asset, bytes, request } = file;
  const { extractor, named } = await makerOf(document, extractors);
  const opened = extractor.isolation === 'worker' ? await extraction() : null;
  const host = new CrashGuard({
    host: opened ?? new InlineExtraction({ extractors, chunkers, log }),
    quarantined: store.quarantined(),
    maxCrashes: () => named.policy.maxCrashes,
  });
  const plugin = { name: named.plugin, version: named.pluginVersion };
  try {
    const picture = await host.render({ extractorId: extractor.id, plugin, bytes, asset, request }, signal);
    if (PNG.every((byte, at) => picture.png[at] === byte)) return picture;
    const site = { plugin, kind: 'extractor', stage: 'render', path: asset.workspacePath };
    throw pluginFailure(new Error('what it rendered is no PNG'), site);
  } catch (error) {
    throw isKebabError(error, 'cancelled') ? cancelled('snap', signal.reason) : error;
  } finally {
    await opened?.close();
  }
}

/** The extractor that made a document; its version may be another by now. */
async function makerOf(document: CanonicalDocument, extractors: RenderPorts['extractors']): Promise<Maker> {
  const { mediaType, parserVersion, workspacePath, provenance } = document;
  const agent = provenance.find(({ kind }) => kind === 'parsed')?.agent ?? '';
  const plugin = agent.slice(0, agent.lastIndexOf('@'));
  for (const named of extractors.names()) {
    if (named.plugin !== plugin) continue;
    const extractor = await extractors.get(named.id);
    if (!extractor.supports(mediaType) || extractor.parserVersion(mediaType) !== parserVersion) continue;
    if (extractor.render !== undefined) return { extractor, named };
    throw invalidInput(`${agent}, which read ${workspacePath}, makes no pictures of it`, {
      field: 'uri',
      value: workspacePath,
      hint: 'read it with `kebab fetch`, or look at the file with `kebab open --launch`',
    });
  }
  throw invalidInput(`${workspacePath} was read by ${agent}, which is not there any more`, {
    field: 'uri',
    value: workspacePath,
    hint: 'run `kebab ingest`, which reads it anew with what there is now',
  });
}
