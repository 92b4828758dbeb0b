import type { ConfigResolution } from '../../config/resolve-config.ts';
import type { Components } from '../../plugin/components.ts';
import type { PluginReport } from '../../plugin/plugin-report.ts';
import type { DoctorCheck } from '../../wire/index.ts';

/** What the checks look at. */
export interface DoctorContext {
  readonly resolution: Pick<ConfigResolution, 'config' | 'origins' | 'files' | 'notices' | 'failure'>;
  readonly components: Components;
  /** How every plugin stands now. */
  readonly plugins: () => readonly PluginReport[];
}

/** One check. It never throws: what goes wrong is what it reports. */
export type Check = (context: DoctorContext) => Promise<DoctorCheck>;
