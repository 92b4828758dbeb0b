import type { App } from '../app/app.ts';
import { isReadonly } from '../composition/environment.ts';
import type { Engine, OpenAppOptions } from '../composition/open-app.ts';
import type { Asker } from './messages.ts';
import { namesIn, serviceFolder } from './service-place.ts';

/** The operations that look at the files and load a model first. */
const SEARCHING = ['search', 'bulkSearch', 'ask'] as const;

/** Looking at so many files takes a search as long as all else it does; a service follows their folders instead. */
const MANY_FILES = 5000;

/**
 * Opens kebab: through a service that answers for the same knowledge base with the same settings, or else in this process. Where a model
 * that takes long to load has been used, or many files were looked at, a service is started for the next time. Throws `config_invalid` and `config_not_found`.
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

/** Who asks; null for what only this process can do: it is to say what happens, or to work with what no service has. */
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

/** The variables that every configuration depends on. `TZ` is what days in a filter depend on. */
function isAsked([name, value]: readonly [string, string | undefined]): boolean {
  if (value === undefined || name === 'KEBAB_MCP_TOKEN' || name === 'KEBAB_SERVICE') return false;
  return name.startsWith('KEBAB_') || name.startsWith('XDG_') || name === 'HOME' || name === 'TZ';
}

/** The App in this process, which leaves a service behind when a search in it took longer than one of a service would. */
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

/** Whether a search loaded a model that takes long, or looked at many files. */
async function wasSlow({ holdsSlowModel, ports, resolution }: Engine): Promise<boolean> {
  if (await holdsSlowModel()) return true;
  if (resolution.config.search.refresh === 'off') return false;
  try {
    return (await (await ports.documents.read()).documentCount()) >= MANY_FILES;
  } catch {
    return false; // no database, or one that cannot be read: the search has said so
  }
}

/** Whether a search would load a model that takes long. */
async function isWorthwhile({ resolution, ports }: Engine): Promise<boolean> {
  const { serve, models } = resolution.config;
  if (serve.mode === 'off' || models.embedding.provider === 'none') return false;
  try {
    await ports.documents.read();
    return (await ports.embedders.get(models.embedding.provider)).isSlowToLoad === true;
  } catch {
    return false; // no database or no model: nothing to keep warm
  }
}
