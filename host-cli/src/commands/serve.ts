import { invalidInput, printable, type ServiceStatus } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { counted, homePath } from '../screen/shown-values.ts';
import type { Screen } from '../screen/screen.ts';

/** `kebab serve`: answers other commands until it has been idle for a while; `--status` and `--stop` apply to a running service. */
export async function serve(context: CommandContext): Promise<ExitCode> {
  const { values } = context;
  if (values.has('status') && values.has('stop'))
    throw invalidInput('serve takes --status or --stop, not both', { field: '--stop' });
  if (values.has('status')) {
    const status = await context.serviceStatus();
    context.show(status, renderStatus);
    return status.is_running ? EXIT.ok : EXIT.nothing;
  }
  if (values.has('stop')) {
    const status = await context.stopService();
    context.show(status, renderStopped);
    return EXIT.ok;
  }
  const why = await context.serveApp(({ pid, idle_minutes: idle }) =>
    context.note(`serving as process ${pid}, until nothing is asked for ${idle} minutes; Ctrl-C stops`),
  );
  context.note(`the service has ended: ${why}`);
  return EXIT.ok;
}

function renderStatus({ database, service }: ServiceStatus, { homeDir }: Screen): string {
  if (service === null) return `no service runs for ${homePath(database, homeDir)}\n`;
  const { pid, answered, running, idle_minutes: idle } = service;
  const version = printable(service.kebab_version);
  const lines = [
    `service   process ${pid}, kebab ${version}${service.is_usable ? '' : ' (another build: this kebab does without it)'}`,
    `database  ${homePath(database, homeDir)}`,
    `since     ${printable(service.started_at)}`,
    `answered  ${counted(answered, 'operation')}, ${running} under way, ${counted(service.clients, 'client')} connected`,
    `memory    ${Math.round(service.memory_bytes / 1_048_576)} MiB`,
    `ends      after ${idle} minutes without a question`,
  ];
  return `${lines.join('\n')}\n`;
}

function renderStopped({ service, is_running: isRunning }: ServiceStatus): string {
  if (service === null) return 'no service runs\n';
  return isRunning ? `process ${service.pid} has not ended yet\n` : `stopped process ${service.pid}\n`;
}
