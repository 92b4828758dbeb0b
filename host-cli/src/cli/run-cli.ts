import { KEBAB_VERSION, invalidInput, toErrorV1, printable, type ErrorV1 } from '@kebab/core/app';
import { CommandContext, type CommandHost } from '../command/command-context.ts';
import { CommandValues } from '../command/command-values.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { Printer, type HostIo } from '../io/printer.ts';
import { screenOf, type Screen } from '../screen/screen.ts';
import { wrapLines } from '../screen/wrap-lines.ts';
import { COMMANDS, COMPLETE } from './command-table.ts';
import { parseCommandLine, type CommandLine } from './parse-command-line.ts';

/** Runs one command line to its end and returns the exit code of the process. Failures are printed, never thrown. */
export async function runCli(
  argv: readonly string[],
  { io, ...rest }: Omit<CommandHost, 'io'> & { readonly io: HostIo },
): Promise<ExitCode> {
  const host = { ...rest, io: { stdin: io.stdin, stdout: new Printer(io.stdout), stderr: new Printer(io.stderr) } };
  let operation = 'kebab';
  try {
    const line = parseCommandLine(argv, argv[0] === COMPLETE.name ? [COMPLETE] : COMMANDS);
    if (line.kind === 'run') operation = line.command.name;
    return await runLine(line, argv, host);
  } catch (error) {
    // The line may have failed to parse, so these two flags are searched for directly.
    const flags = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
    const command = operation === 'kebab' ? commandIn(flags) : operation;
    const wire = withFlag(withCommand(toErrorV1(error, { operation }), command), command);
    let offered: ExitCode | null = null;
    if (flags.includes('--json')) host.io.stderr.json(wire);
    else {
      const causes = flags.includes('--verbose') ? causesOf(error) : [];
      const color = /(?:^| )--color[= ](\w+)/.exec(flags.join(' '))?.[1];
      const screen = screenOf(host.io.stderr, host.setup.environment, color);
      host.io.stderr.print(renderError(wire, causes, screen), (shown) => wrapLines(shown, screen.columns));
      const part = ['--quiet', '--readonly'].some((flag) => flags.includes(flag)) ? null : partMissing(wire);
      if (part !== null) offered = await offer(part, argv, host);
    }
    if (offered !== null) return offered;
    return wire.code === 'cancelled' && rest.signal.aborted ? EXIT.interrupted : EXIT.error;
  }
}

/** The command at the beginning of a line that failed to parse; `kebab` if there is none. */
function commandIn(words: readonly string[]): string {
  const [first = '', second = ''] = words;
  const names = COMMANDS.map(({ name }) => name);
  return [`${first} ${second}`, first].find((name) => names.includes(name)) ?? 'kebab';
}

/** Points the hint to the help of the command instead of the general help. */
function withCommand(wire: ErrorV1, operation: string): ErrorV1 {
  return wire.hint === 'see `kebab --help`' && operation !== 'kebab'
    ? { ...wire, hint: `see \`kebab ${operation} --help\`` }
    : wire;
}

/** Names a member of a request as it is typed: `--trust-min`, not `trust_min`. */
function withFlag(wire: ErrorV1, operation: string): ErrorV1 {
  const field = wire.code === 'invalid_input' ? wire.details.field : null;
  const flag = field?.replaceAll('_', '-');
  const flags = COMMANDS.find(({ name }) => name === operation)?.flags ?? [];
  if (field === null || !wire.message.startsWith(`${field} `) || !flags.some(({ name }) => name === flag)) return wire;
  return { ...wire, message: `--${flag}${wire.message.slice(field.length)}` };
}

/** The missing part of kebab that made a command fail. */
function partMissing({ code, details }: ErrorV1): string | null {
  return code === 'model_not_pulled' && details.provider === 'kebab' ? details.model : null;
}

async function offer(part: string, argv: readonly string[], host: CommandHost): Promise<ExitCode | null> {
  const { offerPart } = await import('../command/confirm.ts');
  return offerPart(part, argv, host);
}

async function runLine(line: CommandLine, argv: readonly string[], host: CommandHost): Promise<ExitCode> {
  switch (line.kind) {
    case 'version':
      host.io.stdout.print(`kebab ${KEBAB_VERSION}\n`);
      return EXIT.ok;
    case 'help': {
      const { renderHelp } = await import('./help.ts');
      const context = new CommandContext(new CommandValues(new Map(), new Map()), host);
      await context.printLong(renderHelp(line.topic, context.screen(), line.whole));
      return EXIT.ok;
    }
    case 'run': {
      if (host.problem && line.command.name !== COMPLETE.name) throw host.problem;
      checkSchemaVersion(line.values);
      const run = await line.command.load();
      const context = new CommandContext(line.values, host, argv);
      let code: ExitCode;
      try {
        code = (await run(context)) ?? EXIT.ok;
      } finally {
        await context.close();
      }
      const part = context.missingPart;
      return (part === null ? null : await offer(part, argv, host)) ?? code;
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

/** Renders the failure in one line, the messages of its causes (outermost first), and the hint. */
function renderError({ message, hint }: ErrorV1, causes: readonly string[], { colors }: Screen): string {
  const lines = [`${colors.red('error:')} ${printable(message)}`];
  for (const cause of causes) lines.push(colors.dim(`  cause: ${printable(cause)}`));
  if (hint !== null) lines.push(`  hint: ${printable(hint)}`);
  return `${lines.join('\n')}\n`;
}

/** The messages of the causes of an error, outermost first. */
function causesOf(error: unknown): readonly string[] {
  const messages: string[] = [];
  const seen = new Set<unknown>([error]);
  for (let cause = causeOf(error); cause !== undefined && cause !== null && !seen.has(cause); cause = causeOf(cause)) {
    seen.add(cause);
    messages.push(cause instanceof Error ? `${cause.name}: ${cause.message}` : JSON.stringify(cause));
  }
  return messages;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
