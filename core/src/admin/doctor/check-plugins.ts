import type { PluginReport } from '../../plugin/plugin-report.ts';
import { switchedOffPlugins } from '../plugin-doctor.ts';
import type { DoctorContext } from './doctor-context.ts';
import { checkOf, failed, fine } from './outcome.ts';

/** Whether every plugin that was asked for runs. */
export const checkPlugins = checkOf('plugins_loaded', async ({ plugins, components }) => {
  const reports = plugins();
  const broken = reports.filter(({ state }) => state === 'failed' || state === 'incompatible');
  if (broken.length > 0) return failed(broken.map(describe).join('; '), 'see `kebab plugin list`');
  const foreign = reports.filter(({ origin }) => origin !== 'builtin').map(({ name, version }) => `${name}@${version}`);
  const off = foreign.length === 0 ? [] : await switchedOff(components, new Set(foreign));
  if (off.length > 0) return failed(off.join('; '), 'update them, or try again with `kebab ingest --force-reingest`');
  const own = reports.filter(({ origin, state }) => origin !== 'builtin' && state === 'active').map(({ name }) => name);
  return fine(own.length === 0 ? 'built-ins only' : `built-ins and ${own.join(', ')}`);
});

function describe({ name, state, reason }: PluginReport): string {
  return `${name} ${state}${reason === null ? '' : `: ${reason}`}`;
}

/** The database has a check of its own; without one nothing has crashed. */
async function switchedOff(
  components: DoctorContext['components'],
  agents: ReadonlySet<string>,
): Promise<readonly string[]> {
  try {
    return switchedOffPlugins((await components.first('document_store')).quarantined(), agents);
  } catch {
    return [];
  }
}
