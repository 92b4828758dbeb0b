import type { RandomBytes } from '../prompt/pack-context.ts';
import type { Retrieve } from '../retrieval/retrieve-evidence.ts';
import type { Extensions } from '../submit/submit-prompt.ts';
import { findHooks } from '../../plugin/hooks.ts';
import type { MayRead } from '../../domain/read-rule.ts';
import type { Ports } from '../../ports.ts';
import type { AbortOptions } from '../../contracts/contribution.ts';
import type { AnswerEvent } from '../../wire/index.ts';

/** Options for following and cancelling an answer. */
export interface AskOptions extends AbortOptions {
  /** Receives every event, the `final` one last; exceptions it throws are ignored. */
  readonly onEvent?: (event: AnswerEvent) => void;
  /** Receives the current stage while there is nothing to show yet; exceptions it throws are ignored. */
  readonly onStage?: ((stage: AskStage) => void) | undefined;
}

/** The stage that a question is waiting for. */
export type AskStage =
  | { readonly kind: 'searching' }
  | {
      readonly kind: 'waiting';
      /** The model that was called. */
      readonly model: string;
      /** Paths of the documents in the prompt, in order, without duplicates; empty while the question is being decomposed. */
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
  /** Whether the caller may read a file that a question names; any when absent. */
  readonly mayRead?: MayRead | undefined;
  /** The search for evidence. */
  readonly retrieve: Retrieve;
  /** File references are resolved relative to this folder first, if it is inside a source. */
  readonly cwd: string;
  readonly randomBytes: RandomBytes;
}

/**
 * The extensions that plugins contribute to asking, in order of registration. A hook that does not load is logged and left out; an
 * interceptor that does not load fails with `plugin_failed`, since it may exist to stop questions.
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
