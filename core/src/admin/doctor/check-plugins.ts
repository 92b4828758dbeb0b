import type { PluginReport } from '../../plugin/plugin-report.ts';
import { checkOf, failed, fine } from './outcome.ts';

/** Whether every plugin that was asked for runs. */
export const checkPlugins = checkOf('plugins_loaded', ({ plugins }) => {
  const reports = plugins();
  const broken = reports.filter(({ state }) => state === 'failed' || state === 'incompatible');
  if (broken.length > 0) return failed(broken.map(describe).join('; '), 'see `kebab plugin list`');
  const own = reports.filter(({ origin, state }) => origin !== 'builtin' && state === 'active').map(({ name }) => name);
  return fine(own.length === 0 ? 'built-ins only' : `built-ins and ${own.join(', ')}`);
});

function describe({ name, state, reason }: PluginReport): string {
  return `${name} ${state}${reason === null ? '' : `: ${reason}`}`;
}
