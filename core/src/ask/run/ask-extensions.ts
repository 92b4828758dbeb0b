import type { Logger } from '../../contracts/contribution.ts';
import type { Components } from '../../plugin/components.ts';
import { findHooks } from '../../plugin/hooks.ts';
import type { Extensions } from '../submit/submit-prompt.ts';

/**
 * Everything that plugins contribute to asking, in order of registration. A hook that does not load is logged and left out;
 * an interceptor that does not load fails with `plugin_failed`, since it may be there to stop questions.
 */
export async function findExtensions(components: Components, log: Logger): Promise<Extensions> {
  const hooks = await findHooks(components, log);
  const interceptors = components
    .list('interceptor')
    .map(async (name) => ({ name, extension: await components.get('interceptor', name.id) }));
  return { hooks, interceptors: await Promise.all(interceptors) };
}
