import { KEBAB_VERSION, invalidInput } from '@kebab/core/app';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { HostIo } from '../io/command-io.ts';
import { Printer } from '../io/printer.ts';
import { CommandContext, type CommandHost } from './command-context.ts';
import { COMMANDS } from './command-table.ts';
import { parseCommandLine, type CommandLine, type CommandValues } from './parse-command-line.ts';
import { reportError } from './report-error.ts';

/** What a command line runs in. */
export type CliHost = Omit<CommandHost, 'io'> & { readonly io: HostIo };

/** Runs one command line to its end and tells how the process is to end. Failures are printed, never thrown. */
export async function runCli(argv: readonly string[], { io, ...rest }: CliHost): Promise<ExitCode> {
  const host = { ...rest, io: { stdin: io.stdin, stdout: new Printer(io.stdout), stderr: new Printer(io.stderr) } };
  let operation = 'kebab';
  try {
    const line = parseCommandLine(argv, COMMANDS);
    if (line.kind === 'run') operation = line.command.name;
    return await runLine(line, host);
  } catch (error) {
    // The line may not have been understood, so these two are looked up by hand.
    const flags = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
    const report = { json: flags.includes('--json'), verbose: flags.includes('--verbose'), operation };
    await reportError(error, report, host);
    return EXIT.error;
  }
}

async function runLine(line: CommandLine, host: CommandHost): Promise<ExitCode> {
  switch (line.kind) {
    case 'version':
      host.io.stdout.print(`kebab ${KEBAB_VERSION}\n`);
      return EXIT.ok;
    case 'help': {
      const { renderHelp } = await import('./help.ts');
      host.io.stdout.print(renderHelp(line.topic));
      return EXIT.ok;
    }
    case 'run': {
      checkSchemaVersion(line.values);
      const { run } = await line.command.load();
      const context = new CommandContext(line.values, host);
      try {
        return await run(context);
      } finally {
        await context.close();
      }
    }
    default:
      return line satisfies never;
  }
}

function checkSchemaVersion(values: CommandValues): void {
  const version = values.text('schema-version');
  if (version === undefined || version === 'v1') return;
  throw invalidInput(`--schema-version takes v1, not ${JSON.stringify(version)}`, {
    field: '--schema-version',
    value: version,
    allowed: ['v1'],
  });
}
