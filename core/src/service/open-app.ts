import type { App } from '../app/app.ts';
import { isReadonly } from '../composition/environment.ts';
import type { Engine, OpenAppOptions } from '../composition/open-app.ts';
import type { Caller } from './messages.ts';
import { AUTOSTART_VARIABLE, serviceFolder, socketsIn } from './service-place.ts';

/**
 * Opens kebab: through a service for the same knowledge base with the same settings, or else in this process. If a model was used that is
 * slow to load, or many files were checked, a service is started for the next time. Throws `config_invalid` and `config_not_found`.
 */
export async function openApp(options: OpenAppOptions): Promise<App> {
  const caller = callerOf(options);
  if (caller === null) return (await openEngine(options)).app;
  const folder = serviceFolder(options.environment);
  let mayStart = folder !== null;
  if (folder !== null && socketsIn(folder).length > 0) {
    const { overService, reach } = await import('./reach-service.ts');
    const reached = await reach(caller, options);
    if (reached.client !== null) return overService(reached.client, caller, options);
    ({ mayStart } = reached);
  }
  const engine = await openEngine(options);
  if (options.serviceCommand === undefined || caller.readonly || !mayStart) return engine.app;
  if (options.isLasting !== true) return startingAfterwards(engine, options);
  if (!(await isWorthwhile(engine))) return engine.app;
  const { overService, startAndReach } = await import('./reach-service.ts');
  const started = await startAndReach(caller, options, engine.resolution.config.storage.sqlite);
  if (started === null) return engine.app;
  await engine.app.close();
  return overService(started, caller, options);
}

async function openEngine(options: OpenAppOptions): Promise<Engine> {
  return (await import('../composition/open-app.ts')).openEngine(options);
}

/** The context of the caller; null for what only this process can do: reporting debug output, or working with state that no service has. */
function callerOf({ environment, flags = {}, clock, despiteConfig, makesConfig }: OpenAppOptions): Caller | null {
  const { cwd, homeDir, env } = environment;
  const isApart =
    /^(?:off|0|no|false)$/i.test(env['KEBAB_SERVICE'] ?? '') ||
    flags.debug === true ||
    (env['KEBAB_LOG'] ?? '') !== '' ||
    (flags.plugins?.length ?? 0) > 0 ||
    (flags.values?.length ?? 0) > 0 ||
    clock !== undefined ||
    despiteConfig === true ||
    makesConfig === true;
  if (isApart) return null;
  return {
    cwd,
    homeDir,
    env: Object.fromEntries(Object.entries(env).filter(isRelevant)) as Record<string, string>,
    config: flags.config ?? null,
    user: flags.user === true,
    readonly: flags.readonly === true || isReadonly(env),
  };
}

/** Variables that no configuration depends on. */
const IRRELEVANT = ['KEBAB_MCP_TOKEN', 'KEBAB_SERVICE', AUTOSTART_VARIABLE];

/** The variables that every configuration depends on. `TZ` affects the days in filters, and the proxies how model servers are reached. */
function isRelevant([name, value]: readonly [string, string | undefined]): boolean {
  if (value === undefined || IRRELEVANT.includes(name)) return false;
  return /^(?:KEBAB_.*|XDG_.*|HOME|TZ|https?_proxy|no_proxy)$/i.test(name);
}

/** The App in this process, which starts a service when it is closed after a search that took longer than it would in a service. */
function startingAfterwards({ app, resolution, wasSlow }: Engine, options: OpenAppOptions): App {
  const { serve, storage } = resolution.config;
  const close = async (): Promise<void> => {
    const isWorth = serve.mode === 'auto' && (await wasSlow());
    await app.close();
    if (isWorth) await (await import('./reach-service.ts')).startService(options, storage.sqlite);
  };
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(app), close: { value: close, enumerable: true } },
  ) as App;
}

/** Whether a search would load a slow model. */
async function isWorthwhile({ resolution, ports }: Engine): Promise<boolean> {
  const { serve, models } = resolution.config;
  if (serve.mode === 'off' || models.embedding.provider === 'none') return false;
  try {
    await ports.documents.read();
    return (await ports.embedders.get(models.embedding.provider)).isSlowToLoad === true;
  } catch {
    return false; // no database or no model: nothing to keep loaded
  }
}
