import type { Ports } from '../../ports.ts';
import { findHooks } from '../../plugin/hooks.ts';
import type { Extensions } from '../submit/submit-prompt.ts';

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
