import type { RandomBytes } from '../prompt/templates.ts';
import type { Retrieve } from '../retrieval/retrieve-evidence.ts';
import type { Extensions } from '../submit/submit-prompt.ts';
import { findHooks } from '../../plugin/hooks.ts';
import type { Ports } from '../../ports.ts';

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
