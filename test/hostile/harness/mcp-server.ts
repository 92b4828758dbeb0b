import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltCli, CliHome } from '../../../host-cli/test/fakes/built-cli.ts';
import { endTree, problemOfCode, stackTraceIn, treeMemoryMb } from './watched-process.ts';

const DEADLINE_MS = 60_000;
const MAX_MEMORY_MB = 2000;

/** A JSON-RPC response. */
export interface RpcAnswer {
  readonly id?: unknown;
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: { readonly code?: unknown; readonly message?: unknown };
  };
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

/** `kebab mcp` over standard input and output, restarted whenever it exits or hangs. */
export class McpServer {
  readonly #start: () => ChildProcessWithoutNullStreams;
  #running: Running | null = null;

  constructor(cli: BuiltCli, home: CliHome, env: Readonly<Record<string, string>> = {}) {
    this.#start = () => cli.start(['mcp'], { home, env });
  }

  /** Calls a tool; returns the problem, if any, and the response when there is one. */
  async call(name: string, args: unknown): Promise<{ readonly problem: string | null; readonly answer?: RpcAnswer }> {
    const server = await this.#server();
    const id = server.nextId();
    const asked = server.answer(id);
    server.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }));
    const answer = await asked;
    if (answer === null) return { problem: this.#drop(`${name} was not answered`) };
    return { problem: problemOfAnswer(answer) ?? server.problem(), answer };
  }

  /** Sends bytes that may not be a message; the next request must be answered. */
  async survives(bytes: string | Uint8Array): Promise<string | null> {
    const server = await this.#server();
    const before = server.answers.length;
    server.send(bytes);
    const id = server.nextId();
    const asked = server.answer(id);
    server.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
    if ((await asked) === null) return this.#drop('the next request was not answered');
    const problems = server.answers.slice(before).map(problemOfAnswer);
    return problems.find((problem) => problem !== null) ?? server.problem();
  }

  close(): void {
    this.#running?.end();
    this.#running = null;
  }

  #drop(problem: string): string {
    const died = this.#running?.died();
    const said = this.#running?.stderr().slice(0, 300) ?? '';
    this.close();
    return died === null || died === undefined ? problem : `${problem}: the server died of ${died}: ${said}`;
  }

  async #server(): Promise<Running> {
    if (this.#running !== null && this.#running.died() === null) return this.#running;
    const server = running(this.#start());
    this.#running = server;
    const clientInfo = { name: 'hostile', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const greeted = server.answer(0);
    server.send(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
    if ((await greeted) === null) throw new Error(`the server does not start: ${server.stderr()}`);
    server.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    return server;
  }
}

/** What is wrong with a response, or null: an error must have a code of the closed list, or one of JSON-RPC. */
export function problemOfAnswer({ result, error }: RpcAnswer): string | null {
  if (error !== undefined)
    return error.code === -32_603 ? `an internal error: ${String(error.message)}` : stackTraceIn(String(error.message));
  if (result?.isError !== true) return null;
  const { code, message } = result.structuredContent ?? {};
  const problem = problemOfCode(code);
  return problem === null ? stackTraceIn(String(message)) : `${problem}: ${String(message)}`;
}

interface Running {
  readonly answers: readonly RpcAnswer[];
  nextId(): string;
  /** Null when no response comes in time, or the server exits or uses too much memory. */
  answer(id: string | number): Promise<RpcAnswer | null>;
  send(line: string | Uint8Array): void;
  problem(): string | null;
  died(): string | null;
  stderr(): string;
  end(): void;
}

function running(child: ChildProcessWithoutNullStreams): Running {
  const answers: RpcAnswer[] = [];
  const waiting = new Map<unknown, (answer: RpcAnswer | null) => void>();
  let [stderr, odd, ended, ids] = ['', '', null as string | null, 0];
  child.stderr.on('data', (part: Buffer) => {
    stderr = (stderr + part.toString('utf8')).slice(-20_000);
  });
  child.stdin.on('error', () => undefined); // it may have ended
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = parsed(line);
    if (answer === null) odd = line;
    else {
      answers.push(answer);
      waiting.get(answer.id)?.(answer);
    }
  });
  child.once('close', (code, signal) => {
    ended = signal ?? `exit code ${String(code)}`;
    for (const give of waiting.values()) give(null);
  });
  return {
    answers,
    nextId: () => `hostile-${++ids}`,
    answer: (id) => {
      const gone = new AbortController();
      const arrived = new Promise<RpcAnswer | null>((resolve) => waiting.set(id, resolve));
      const late = delay(DEADLINE_MS, null, { signal: gone.signal }).catch(() => null);
      return Promise.race([arrived, late]).finally(() => {
        gone.abort();
        waiting.delete(id);
      });
    },
    send: (line) => {
      child.stdin.write(line);
      child.stdin.write('\n');
    },
    problem: () => {
      if (odd !== '') return `standard output carries something else: ${odd.slice(0, 200)}`;
      const mb = treeMemoryMb(child.pid);
      const said = stderr;
      stderr = ''; // errors are attributed to the input that caused them
      return mb > MAX_MEMORY_MB ? `took ${Math.round(mb)} MB` : stackTraceIn(said);
    },
    died: () => ended,
    stderr: () => stderr,
    end: () => endTree(child.pid),
  };
}

function parsed(line: string): RpcAnswer | null {
  try {
    const value = JSON.parse(line) as RpcAnswer & { readonly jsonrpc?: unknown };
    return value.jsonrpc === '2.0' ? value : null;
  } catch {
    return null;
  }
}
