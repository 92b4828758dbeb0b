import type { QuarantinedFile } from '../contracts/document-store.ts';
import { isKebabError, type KebabError } from '../errors/kebab-error.ts';
import { CRASH_STAGE, crashesByAgent } from '../plugin/crash-limit.ts';
import { pluginFailure } from '../plugin/plugin-failure.ts';
import type { Picture } from '../contracts/extractor.ts';
import type { Extraction, ExtractionHost, ExtractionJob, RenderJob } from './extraction-job.ts';

/** What {@link CrashGuard} needs. */
export interface CrashGuardInit {
  readonly host: ExtractionHost;
  /** What is in quarantine from earlier runs. */
  readonly quarantined: readonly QuarantinedFile[];
  /** How many files may crash an extractor before it is switched off; null never switches it off. */
  readonly maxCrashes: (extractorId: string) => number | null;
}

/**
 * Switches a version of a plugin off when it has crashed too often, in earlier runs or in this one: its files fail at once, saying
 * so. Another version of the plugin starts from zero.
 */
export class CrashGuard implements ExtractionHost {
  readonly #init: CrashGuardInit;
  readonly #crashes: Map<string, number>;

  constructor(init: CrashGuardInit) {
    this.#init = init;
    this.#crashes = new Map([...crashesByAgent(init.quarantined)].map(([agent, files]) => [agent, files.length]));
  }

  extract(job: ExtractionJob, signal: AbortSignal): Promise<Extraction> {
    return this.#guard({ ...job, path: job.parts.asset.workspacePath }, (host) => host.extract(job, signal));
  }

  render(job: RenderJob, signal: AbortSignal): Promise<Picture> {
    return this.#guard({ ...job, path: job.asset.workspacePath }, (host) => host.render(job, signal));
  }

  async close(): Promise<void> {
    await this.#init.host.close();
  }

  async #guard<T>(job: GuardedJob, run: (host: ExtractionHost) => Promise<T>): Promise<T> {
    const { host, maxCrashes } = this.#init;
    const max = maxCrashes(job.extractorId);
    if (max === null) return run(host);
    const agent = `${job.plugin.name}@${job.plugin.version}`;
    if ((this.#crashes.get(agent) ?? 0) >= max) throw switchedOff(job, max);
    try {
      return await run(host);
    } catch (error) {
      if (isKebabError(error, 'plugin_failed') && error.details.stage === CRASH_STAGE)
        this.#crashes.set(agent, (this.#crashes.get(agent) ?? 0) + 1);
      throw error;
    }
  }
}

/** What of a job tells whose fault a crash is. */
interface GuardedJob extends Pick<ExtractionJob, 'extractorId' | 'plugin'> {
  readonly path: string;
}

function switchedOff({ plugin, path }: GuardedJob, max: number): Error | KebabError {
  const cause = `it is switched off after ${max} crashes; update it, or try it again with --force-reingest`;
  return pluginFailure(new Error(cause), { plugin, kind: 'extractor', stage: CRASH_STAGE, path });
}
