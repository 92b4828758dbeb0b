// Measures a server of a team under load: clients with tokens of their own, of whom rules restrict half, call tools of MCP over HTTP one after
// the other. Prints errors, the rate, p50 and p99; fails when there is an error or p99 is above ten times p50.
//   npm run build && node --import ./scripts/run-ts.mjs bench/team-load.ts [clients=50] [seconds=300] [pause=1000]
// Each client waits for `pause` milliseconds between its calls, as an agent does that reads what it got.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readJudgedSet, writeAsMarkdown } from './lib/judged-set.ts';
import { sharedData } from './lib/shared-data.ts';

const [clients = 50, seconds = 300, pauseMs = 1000] = process.argv.slice(2).map(Number);
const program = fileURLToPath(new URL('../host-cli/bin/kebab.cjs', import.meta.url));
const data = sharedData('cranfield');
if (data === null) process.exit(0);
const set = readJudgedSet(data);
const folder = mkdtempSync(path.join(tmpdir(), 'kebab-load-'));
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  KEBAB_WORKSPACE_ROOT: path.join(folder, 'docs'),
  KEBAB_MODELS_EMBEDDING_PROVIDER: 'none',
  KEBAB_SERVE_MODE: 'off',
  KEBAB_ACCESS_REQUESTS_PER_MINUTE: '0',
  KEBAB_ACCESS_RULES: JSON.stringify([{ path: '**/*1.md', readers: ['group:staff'] }, { readers: ['everyone'] }]),
};
const kebab = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [program, ...args], { env, maxBuffer: 1 << 26 })).stdout;

mkdirSync(path.join(folder, 'docs'));
await writeAsMarkdown(set, path.join(folder, 'docs'));
await kebab('ingest');
const token = async (name: string, ...more: readonly string[]): Promise<string> =>
  (JSON.parse(await kebab('token', 'create', name, '--json', ...more)) as { readonly token: string }).token;
const tokens = [await token('staff', '--principal', 'group:staff'), await token('others')];
const server = spawn(process.execPath, [program, 'mcp', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
const url = await new Promise<string>((resolve, reject) => {
  const read = (part: unknown): void => {
    const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(String(part))?.[0];
    if (found !== undefined) resolve(found);
  };
  server.stdout.on('data', read);
  server.stderr.on('data', read);
  server.once('exit', () => reject(new Error('the server ended')));
});

const times = new Map<string, number[]>();
const errors = new Map<string, number>();
const until = performance.now() + seconds * 1000;
await Promise.all(Array.from({ length: clients }, (_, at) => client(at)));
const cpuMs = cpuOf(server.pid);
server.kill('SIGTERM');
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
const all = [...times.values()].flat();
const failed = [...errors.values()].reduce((sum, count) => sum + count, 0);
console.log(
  `${clients} clients, ${seconds} s: ${all.length} calls, ${(all.length / seconds).toFixed(0)} a second, ${failed} errors`,
);
for (const [name, own] of [...times, ['all', all] as const])
  console.log(`  ${name.padEnd(12)} p50 ${quantile(own, 0.5).toFixed(0)} ms, p99 ${quantile(own, 0.99).toFixed(0)} ms`);
console.log(`  ${(cpuMs / all.length).toFixed(1)} ms of a processor a call`);
for (const [what, count] of errors) console.log(`  ${count} × ${what}`);
if (failed > 0 || quantile(all, 0.99) > 10 * quantile(all, 0.5)) process.exitCode = 1;

/** Calls the tools in turn, with queries and documents of the set. */
async function client(at: number): Promise<void> {
  const bearer = tokens[at % tokens.length] ?? '';
  await sleep((pauseMs * at) / clients);
  for (let n = at; performance.now() < until; n++) {
    const query = set.queries[(n * 7) % set.queries.length]?.text ?? '';
    const uri = `${set.documents[(n * 13) % set.documents.length]?.id}.md`;
    const calls: readonly (readonly [string, object])[] = [
      ['search', { query }],
      ['fetch', { uri: uri.replace('1.md', '2.md') }],
      ['search', { query, mode: 'lexical', explain: true }],
      ['list_docs', { limit: 20 }],
      ['grep', { pattern: query.split(' ').at(-1) ?? 'flow' }],
      ['related', { uri: uri.replace('1.md', '2.md') }],
    ];
    const [name, args] = calls[n % calls.length] ?? ['search', { query }];
    const started = performance.now();
    const problem = await call(bearer, name, args);
    const own = times.get(name) ?? [];
    times.set(name, own);
    own.push(performance.now() - started);
    if (problem !== null) errors.set(`${name}: ${problem}`, (errors.get(`${name}: ${problem}`) ?? 0) + 1);
    await sleep(pauseMs);
  }
}

/** Why a call of a tool failed; null for one that did not. */
async function call(bearer: string, name: string, args: object): Promise<string | null> {
  const headers = {
    authorization: `Bearer ${bearer}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  try {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
    const text = await response.text();
    if (!response.ok) return `${response.status}`;
    return text.includes('"isError":true') && !text.includes('doc_not_found') ? text.slice(0, 200) : null;
  } catch (error) {
    return String((error as Error).cause ?? error);
  }
}

/** The time that a process has used, where the system has `/proc`; its clock ticks a hundred times a second. */
function cpuOf(pid = 0): number {
  if (!existsSync(`/proc/${pid}/stat`)) return NaN;
  const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(user) + Number(system)) * 10;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;
}
