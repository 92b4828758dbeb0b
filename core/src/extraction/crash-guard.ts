import type { QuarantinedFile } from '../contracts/document-store.ts';
import { isKebabError, type KebabError } from '../errors/kebab-error.ts';
import { CRASH_STAGE, crashesByAgent } from '../plugin/limits.ts';
import { pluginFailure } from '../plugin/plugin-failure.ts';
import type { Picture } from '../contracts/extractor.ts';
import type {
  ChunkedDocument,
  ChunkJob,
  Extraction,
  ExtractionHost,
  ExtractionJob,
  NamedPlugin,
  RenderJob,
} from './extraction-job.ts';

/** The dependencies of {@link CrashGuard}. */
export interface CrashGuardInit {
  readonly host: ExtractionHost;
  /** Files quarantined in earlier runs. */
  readonly quarantined: readonly QuarantinedFile[];
  /** The number of crashes after which an extractor or chunker is disabled; null never disables it. */
  readonly maxCrashes: (party: Party) => number | null;
}

/**
 * Disables a version of a plugin that has crashed too often, in earlier runs or in this one: its files then fail immediately with that
 * reason. Another version of the plugin starts from zero.
 */
export class CrashGuard implements ExtractionHost {
  readonly #init: CrashGuardInit;
  readonly #crashes: Map<string, number>;

  constructor(init: CrashGuardInit) {
    this.#init = init;
    this.#crashes = new Map([...crashesByAgent(init.quarantined)].map(([agent, files]) => [agent, files.length]));
  }

  extract(job: ExtractionJob, signal: AbortSignal): Promise<Extraction> {
    return this.#guard(partiesOf(job), job.parts.asset.workspacePath, (host) => host.extract(job, signal));
  }

  render(job: RenderJob, signal: AbortSignal): Promise<Picture> {
    const { extractorId: id, plugin, asset } = job;
    return this.#guard([{ kind: 'extractor', id, plugin }], asset.workspacePath, (host) => host.render(job, signal));
  }

  chunk(job: ChunkJob, signal: AbortSignal): Promise<ChunkedDocument> {
    const { chunkerId: id, chunkerPlugin: plugin, document } = job;
    return this.#guard([{ kind: 'chunker', id, plugin }], document.workspacePath, (host) => host.chunk(job, signal));
  }

  async close(): Promise<void> {
    await this.#init.host.close();
  }

  async #guard<T>(parties: readonly Party[], path: string, run: (host: ExtractionHost) => Promise<T>): Promise<T> {
    const { host, maxCrashes } = this.#init;
    for (const party of parties) {
      const max = maxCrashes(party);
      if (max !== null && (this.#crashes.get(agentOf(party.plugin)) ?? 0) >= max) throw switchedOff(party, path, max);
    }
    try {
      return await run(host);
    } catch (error) {
      if (isKebabError(error, 'plugin_failed') && error.details.stage === CRASH_STAGE) {
        const agent = agentOf({ name: error.details.plugin, version: error.details.version });
        this.#crashes.set(agent, (this.#crashes.get(agent) ?? 0) + 1);
      }
      throw error;
    }
  }
}

/** A contribution that takes part in a job, and so may be the cause of a crash. */
export interface Party {
  readonly kind: 'extractor' | 'chunker';
  readonly id: string;
  readonly plugin: NamedPlugin;
}

function partiesOf({ extractorId, plugin, chunkerId, chunkerPlugin }: ExtractionJob): readonly Party[] {
  return [
    { kind: 'extractor', id: extractorId, plugin },
    { kind: 'chunker', id: chunkerId, plugin: chunkerPlugin },
  ];
}

function agentOf({ name, version }: NamedPlugin): string {
  return `${name}@${version}`;
}

function switchedOff({ plugin, kind }: Party, path: string, max: number): Error | KebabError {
  const cause = `it is switched off after ${max} crashes; update it, or try it again with --force-reingest`;
  return pluginFailure(new Error(cause), { plugin, kind, stage: CRASH_STAGE, path });
}
