import { setTimeout as delay } from 'node:timers/promises';
import { servePipe, servePort, type ServeOptions } from '@kebab/mcp';
import type { CommandContext } from '../command/command-context.ts';
import { keepOutputClean } from '../io/file-output.ts';

/** `kebab mcp`: serves the knowledge base to agents, on standard input and output or on a port of this machine. */
export async function mcp(context: CommandContext): Promise<void> {
  const { values, io, signal } = context;
  const port = values.number('port');
  const server: ServeOptions = {
    open: (how) => context.openOwnApp(how),
    cwd: context.absolute('.'),
    readonly: context.readonly,
    answerView: async () => (await import('@kebab/web')).answerView(),
  };
  if (port === undefined) {
    if (io.stdin.isTerminal) for (const line of AT_A_TERMINAL) context.note(line);
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
    if (signal.aborted) await flushed(context); // a client that has not read by now never will
    return;
  }
  const token = context.variable('KEBAB_MCP_TOKEN') ?? null;
  const http = await servePort({ ...server, port, token });
  context.note(`serving ${http.url}${token === null ? '' : ' with a bearer token'}; Ctrl-C stops`);
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await http.close();
}

/** How long a client may take to read the last answers. */
const LAST_ANSWERS_MS = 1000;

async function flushed({ io }: CommandContext): Promise<void> {
  await delay(LAST_ANSWERS_MS, undefined, { ref: true });
  io.stdout.discard();
}

/** Shown to a user who runs the command in a terminal, since a waiting server prints nothing else. */
const AT_A_TERMINAL = [
  'kebab mcp speaks JSON-RPC with agents, which start it: it waits for messages.',
  'Set up an agent with `kebab mcp install`. For one that speaks HTTP, run',
  '`kebab mcp --port 8765`. Ctrl-D ends this server.',
];

/** The input as bytes; an interrupt ends it, like the client closing it. */
async function* bytesOf(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of pieces) yield Buffer.from(piece, 'utf8');
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
  }
}
