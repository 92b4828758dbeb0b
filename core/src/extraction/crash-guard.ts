import type { QuarantinedFile } from '../contracts/document-store.ts';
import { isKebabError, type KebabError } from '../errors/kebab-error.ts';
import { CRASH_STAGE, crashesByAgent } from '../plugin/crashes.ts';
import { pluginFailure } from '../plugin/plugin-failure.ts';
import { ExtractionHost, type ExtractionRequest, type NamedPlugin, partiesOf, type Party } from './extraction-job.ts';

/** The dependencies of {@link CrashGuard}. */
export interface CrashGuardInit {
  readonly host: Pick<ExtractionHost, 'run' | 'close'>;
  /** Files quarantined in earlier runs. */
  readonly quarantined: readonly QuarantinedFile[];
  /** The number of crashes after which an extractor or chunker is disabled; null never disables it. */
  readonly maxCrashes: (party: Party) => number | null;
}

/**
 * Disables a version of a plugin that has crashed too often, in earlier runs or in this one: its files then fail immediately with that
 * reason. Another version of the plugin starts from zero.
 */
export class CrashGuard extends ExtractionHost {
  readonly #init: CrashGuardInit;
  readonly #crashes: Map<string, number>;

  constructor(init: CrashGuardInit) {
    super();
    this.#init = init;
    this.#crashes = new Map([...crashesByAgent(init.quarantined)].map(([agent, files]) => [agent, files.length]));
  }

  override async run(request: ExtractionRequest, signal: AbortSignal): Promise<unknown> {
    const { host, maxCrashes } = this.#init;
    const { parties, path } = partiesOf(request);
    for (const party of parties) {
      const max = maxCrashes(party);
      if (max !== null && (this.#crashes.get(agentOf(party.plugin)) ?? 0) >= max) throw switchedOff(party, path, max);
    }
    try {
      return await host.run(request, signal);
    } catch (error) {
      if (isKebabError(error, 'plugin_failed') && error.details.stage === CRASH_STAGE) {
        const agent = agentOf({ name: error.details.plugin, version: error.details.version });
        this.#crashes.set(agent, (this.#crashes.get(agent) ?? 0) + 1);
      }
      throw error;
    }
  }

  override close(): Promise<void> {
    return this.#init.host.close();
  }
}

function agentOf({ name, version }: NamedPlugin): string {
  return `${name}@${version}`;
}

function switchedOff({ plugin, kind }: Party, path: string, max: number): Error | KebabError {
  const cause = `it is switched off after ${max} crashes; update it, or try it again with --force-reingest`;
  return pluginFailure(new Error(cause), { plugin, kind, stage: CRASH_STAGE, path });
}
