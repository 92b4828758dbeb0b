import type { ConfigResolution } from '../../config/resolve-config.ts';
import type { Ports } from '../../ports.ts';
import type { PluginReport } from '../../plugin/plugin-report.ts';
import type { DoctorCheck } from '../../wire/index.ts';

/** The ports of the checks. */
export type DoctorPorts = Pick<Ports, 'documents' | 'embedders' | 'vectorStores' | 'languageModels'>;

/** What the checks look at. */
export interface DoctorContext {
  readonly resolution: Pick<ConfigResolution, 'config' | 'origins' | 'files' | 'notices' | 'failure'>;
  readonly ports: DoctorPorts;
  /** How every plugin stands now. */
  readonly plugins: () => readonly PluginReport[];
}

/** One check. It never throws: what goes wrong is what it reports. */
export type Check = (context: DoctorContext) => Promise<DoctorCheck>;
