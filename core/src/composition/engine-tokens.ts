import type { AskRim } from '../ask/run/ask-sources.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { Clock, Logger } from '../contracts/contribution.ts';
import type { Components } from '../plugin/components.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import { token } from './tokens.ts';

/** What use cases are constructed from. */
export const EngineTokens = {
  components: token<Components>('components'),
  config: token<ResolvedConfig>('config'),
  clock: token<Clock>('clock'),
  log: token<Logger>('log'),
  /** What asking takes from the process. */
  askRim: token<AskRim>('ask-rim'),
  /** Threads for extractors that want one of their own; null where there are none. */
  extraction: token<ExtractionHost | null>('extraction'),
} as const;
