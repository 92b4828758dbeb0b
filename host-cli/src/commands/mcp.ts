import { servePipe, servePort } from '@kebab/mcp';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { keepOutputClean } from '../io/file-output.ts';

/** `kebab mcp`: serves the knowledge base to agents, on standard input and output or on a port of this machine. */
export async function mcp(context: CommandContext): Promise<ExitCode> {
  const { values, io, signal } = context;
  const port = values.number('port');
  const server = { open: () => context.openOwnApp(), cwd: context.absolute('.'), readonly: context.readonly };
  if (port === undefined) {
    if (io.stdin.isTerminal) context.note(AT_A_TERMINAL);
    keepOutputClean();
    const gone = new AbortController();
    await servePipe({
      ...server,
      signal: AbortSignal.any([signal, gone.signal]),
      input: bytesOf(io.stdin.read(AbortSignal.any([signal, gone.signal]))),
      write: (line) => {
        io.stdout.jsonLine(line.trimEnd());
        if (io.stdout.closed) gone.abort();
      },
    });
    return EXIT.ok;
  }
  const token = context.variable('KEBAB_MCP_TOKEN') ?? null;
  const http = await servePort({ ...server, port, token });
  context.note(`serving ${http.url}${token === null ? '' : ' with a bearer token'}; Ctrl-C stops`);
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await http.close();
  return EXIT.ok;
}

/** What somebody sees who types the command: a server that waits says nothing else. */
const AT_A_TERMINAL = `kebab mcp is started by agents, and speaks JSON-RPC with them: it waits for messages on standard input.
To make an agent start it, run \`kebab mcp install\`; for one that speaks HTTP, \`kebab mcp --port 8765\`. Ctrl-D ends it.`;

/** The input as bytes; an interrupt ends it like the client does. */
async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of pieces) yield Buffer.from(piece, 'utf8');
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
  }
}
