import type { RandomBytes } from '../prompt/pack-context.ts';
import type { Retrieve } from '../retrieval/retrieve-evidence.ts';
import type { Extensions } from '../submit/submit-prompt.ts';
import { findHooks } from '../../plugin/hooks.ts';
import type { Ports } from '../../ports.ts';
import type { AbortOptions } from '../../contracts/contribution.ts';
import type { AnswerEvent } from '../../wire/index.ts';

/** How an answer is followed and stopped. */
export interface AskOptions extends AbortOptions {
  /** Receives every event, the `final` one last; an exception it throws is ignored. */
  readonly onEvent?: (event: AnswerEvent) => void;
  /** Receives what is being done while there is nothing to show yet; an exception it throws is ignored. */
  readonly onStage?: ((stage: AskStage) => void) | undefined;
}

/** What a question waits for. */
export type AskStage =
  | { readonly kind: 'searching' }
  | {
      readonly kind: 'waiting';
      /** The model that was asked. */
      readonly model: string;
      /** Paths of the documents in the prompt, in its order, each once; empty while the question is taken apart. */
      readonly reading: readonly string[];
    };

/** The ports of asking. */
export interface AskPorts extends Pick<
  Ports,
  | 'documents'
  | 'lexicalIndex'
  | 'sessions'
  | 'embedders'
  | 'languageModels'
  | 'groundednessCheckers'
  | 'interceptors'
  | 'hooks'
  | 'config'
  | 'clock'
  | 'log'
> {
  /** Searching, as the way to evidence. */
  readonly retrieve: Retrieve;
  /** File references are looked up from here first, if it lies in a source. */
  readonly cwd: string;
  readonly randomBytes: RandomBytes;
}

/**
 * Everything that plugins contribute to asking, in order of registration. A hook that does not load is logged and left out;
 * an interceptor that does not load fails with `plugin_failed`, since it may be there to stop questions.
 */
export async function findExtensions({
  hooks: hookCatalog,
  interceptors: interceptorCatalog,
  log,
}: Pick<Ports, 'hooks' | 'interceptors' | 'log'>): Promise<Extensions> {
  const hooks = await findHooks({ hooks: hookCatalog, log });
  const named = interceptorCatalog.names().map(async (name) => ({
    name,
    extension: await interceptorCatalog.get(name.id),
  }));
  return { hooks, interceptors: await Promise.all(named) };
}
