import {
  moveBase,
  targetSettings,
  type MoveOptions,
  type MovePorts,
  type MoveRequest,
} from '../admin/moving/move-base.ts';
import { runConfig } from '../admin/run-config.ts';
import type { MoveReport } from '../wire/index.ts';
import type { AppPorts } from './app-ports.ts';

/** Moves the knowledge base, and writes the settings that make the target the configured one if that is requested. Errors as for a move and `config set`. */
export async function performMove(
  ports: MovePorts & Pick<AppPorts, 'resolution' | 'resolveAgain' | 'env' | 'homeDir'>,
  request: MoveRequest,
  options: MoveOptions = {},
): Promise<MoveReport> {
  const { resolution } = ports;
  const isKnown = ({ key }: { readonly key: string }): boolean => resolution.keys.keys.some(({ name }) => name === key);
  const report = await moveBase(ports, request, options);
  const switched = request.switchTo === true && request.dryRun !== true;
  if (switched)
    for (const { key, value } of targetSettings(request, ports.cwd).filter(isKnown))
      await runConfig(ports, { kind: 'set', key, values: [value] });
  return { ...report, settings: report.settings.filter(isKnown), switched };
}
