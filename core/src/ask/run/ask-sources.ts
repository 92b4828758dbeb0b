import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { Clock, Logger } from '../../contracts/contribution.ts';
import type { Components } from '../../plugin/components.ts';
import type { RandomBytes } from '../prompt/fence.ts';
import type { Retrieve } from '../retrieval/retrieve-evidence.ts';

/** What asking takes from the process it runs in. */
export interface AskRim {
  /** File references are looked up from here first, if it lies in a source. */
  readonly cwd: string;
  readonly randomBytes: RandomBytes;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What a question is answered with. */
export interface AskSources {
  readonly retrieve: Retrieve;
  readonly components: Components;
  readonly config: ResolvedConfig;
  readonly clock: Clock;
  readonly log: Logger;
  readonly rim: AskRim;
}
