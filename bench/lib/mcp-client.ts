import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };

/** A client of an MCP server on a pipe: one request at a time. */
export class McpClient {
  readonly #child: ChildProcess;
  readonly #waiting: ((answer: unknown) => void)[] = [];
  #id = 0;

  constructor(
    args: readonly string[],
    {
      env,
      cwd,
      program = process.execPath,
    }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string; readonly program?: string },
  ) {
    this.#child = spawn(program, args, { env, cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdout } = this.#child;
    if (stdout === null) throw new TypeError('a server on a pipe has an output');
    createInterface({ input: stdout }).on('line', (line) => {
      const message = JSON.parse(line) as { readonly id?: number };
      if (message.id !== undefined) this.#waiting.shift()?.(message);
    });
  }

  async initialize(): Promise<unknown> {
    const answer = await this.#request('initialize', INITIALIZE);
    this.#child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return answer;
  }

  /** Calls a tool. Throws the error of the server. */
  async call(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
    const answer = (await this.#request('tools/call', { name, arguments: args })) as {
      readonly result?: { readonly isError?: boolean };
    };
    if (answer.result === undefined || answer.result.isError === true) throw new Error(JSON.stringify(answer));
    return answer.result;
  }

  /** User and system time so far; the system counts in hundredths of a second. */
  cpuMs(): number {
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  residentMb(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  }

  close(): Promise<void> {
    this.#child.stdin?.end();
    return new Promise((resolve) => void this.#child.once('exit', () => resolve()));
  }

  #request(method: string, params: unknown): Promise<unknown> {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params })}\n`);
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }
}
