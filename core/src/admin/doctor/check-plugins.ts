import type { PluginReport } from '../../plugin/plugin-report.ts';
import { crashLimits, switchedOffPlugins } from '../plugin-doctor.ts';
import type { DoctorContext } from './doctor-context.ts';
import { checkOf, failed, fine } from './outcome.ts';

/** Whether every plugin that was asked for runs. */
export const checkPlugins = checkOf('plugins_loaded', async ({ plugins, ports }) => {
  const reports = plugins();
  const broken = reports.filter(({ state }) => state === 'failed' || state === 'incompatible');
  if (broken.length > 0) return failed(broken.map(describe).join('; '), 'see `kebab plugin list`');
  const off = await switchedOff(ports, crashLimits(reports));
  if (off.length > 0) return failed(off.join('; '), 'update them, or try again with `kebab ingest --force-reingest`');
  const further = reports.filter(({ origin, state }) => origin !== 'builtin' && state === 'active');
  return fine(further.length === 0 ? 'built-ins only' : `built-ins and ${further.map(({ name }) => name).join(', ')}`);
});

function describe({ name, state, reason }: PluginReport): string {
  return `${name} ${state}${reason === null ? '' : `: ${reason}`}`;
}

/** The database has a check of its own; without one nothing has crashed. */
async function switchedOff(
  ports: DoctorContext['ports'],
  limits: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  if (limits.size === 0) return [];
  try {
    return switchedOffPlugins((await ports.documents.read()).quarantined(), limits);
  } catch {
    return [];
  }
}
