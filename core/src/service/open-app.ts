import type { App } from '../app/app.ts';
import { isReadonly } from '../composition/environment.ts';
import type { Engine, OpenAppOptions } from '../composition/open-app.ts';
import type { Asker } from './messages.ts';
import { ASKED_VARIABLE, namesIn, serviceFolder } from './service-place.ts';

/** The operations that first check the files and load a model. */
const SEARCHING = ['search', 'bulkSearch', 'ask'] as const;

/** Checking this many files takes as long as the rest of a search; a service watches their folders instead. */
const MANY_FILES = 5000;

/**
 * Opens kebab: through a service for the same knowledge base with the same settings, or else in this process. If a model was used that is
 * slow to load, or many files were checked, a service is started for the next time. Throws `config_invalid` and `config_not_found`.
 */
export async function openApp(options: OpenAppOptions): Promise<App> {
  const asker = askerOf(options);
  if (asker === null) return (await openEngine(options)).app;
  const folder = serviceFolder(options.environment);
  let mayStart = folder !== null;
  if (folder !== null && namesIn(folder).length > 0) {
    const { overService, reach } = await import('./reach-service.ts');
    const reached = await reach(asker, options);
    if (reached.client !== null) return overService(reached.client, asker, options);
    ({ mayStart } = reached);
  }
  const engine = await openEngine(options);
  if (options.serviceCommand === undefined || asker.readonly || !mayStart) return engine.app;
  if (options.isLasting !== true) return startingAfterwards(engine, options);
  if (!(await isWorthwhile(engine))) return engine.app;
  const { overService, startAndReach } = await import('./reach-service.ts');
  const started = await startAndReach(asker, options);
  if (started === null) return engine.app;
  await engine.app.close();
  return overService(started, asker, options);
}

async function openEngine(options: OpenAppOptions): Promise<Engine> {
  return (await import('../composition/open-app.ts')).openEngine(options);
}

/** The context of the caller; null for what only this process can do: reporting debug output, or working with state that no service has. */
function askerOf({ environment, flags = {}, clock, despiteConfig, makesConfig }: OpenAppOptions): Asker | null {
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
    env: Object.fromEntries(Object.entries(env).filter(isAsked)) as Record<string, string>,
    config: flags.config ?? null,
    user: flags.user === true,
    readonly: flags.readonly === true || isReadonly(env),
  };
}

/** Variables that no configuration depends on. */
const NOT_ASKED = ['KEBAB_MCP_TOKEN', 'KEBAB_SERVICE', ASKED_VARIABLE];

/** The variables that every configuration depends on. `TZ` affects the days in filters. */
function isAsked([name, value]: readonly [string, string | undefined]): boolean {
  if (value === undefined || NOT_ASKED.includes(name)) return false;
  return name.startsWith('KEBAB_') || name.startsWith('XDG_') || name === 'HOME' || name === 'TZ';
}

/** The App in this process, which starts a service when a search took longer than it would in a service. */
function startingAfterwards(engine: Engine, options: OpenAppOptions): App {
  const { app, resolution } = engine;
  let hasSearched = false;
  const noted = SEARCHING.map((name) => {
    const method = app[name] as (...args: readonly unknown[]) => unknown;
    const value = (...args: readonly unknown[]): unknown => {
      hasSearched = true;
      return method(...args);
    };
    return [name, { value, enumerable: true }] as const;
  });
  const close = async (): Promise<void> => {
    const isWorth = hasSearched && resolution.config.serve.mode === 'auto' && (await wasSlow(engine));
    await app.close();
    if (isWorth) (await import('./reach-service.ts')).startService(options);
  };
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(app),
      ...Object.fromEntries(noted),
      close: { value: close, enumerable: true },
    },
  ) as App;
}

/** Whether a search loaded a slow model, or checked many files. */
async function wasSlow({ holdsSlowModel, ports, resolution }: Engine): Promise<boolean> {
  if (await holdsSlowModel()) return true;
  if (resolution.config.search.refresh === 'off') return false;
  try {
    return (await (await ports.documents.read()).documentCount()) >= MANY_FILES;
  } catch {
    return false; // no database, or an unreadable one, which the search has reported
  }
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
