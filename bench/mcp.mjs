// Measures the MCP server, each figure beside its limit: start to the first answered request against `node -e 0`, a warm lexical search
// over 5,000 documents, twenty clients on HTTP, and memory after 10,000 calls against after 1,000.
//   node bench/mcp.mjs
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundle } from '../scripts/bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = path.join(root, 'host-cli', 'bin', 'kebab.cjs');
const home = mkdtempSync(path.join(tmpdir(), 'kebab-mcp-bench-'));
const workspace = path.join(home, 'notes');
const env = {
  PATH: process.env.PATH,
  HOME: home,
  KEBAB_WORKSPACE_ROOT: workspace,
};
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
const archive = path.join(root, '..', 'shared', 'data', 'md5k', 'md5k.tar.gz');
const WORDS =
  'memory proxy docker backup user graph async install package garbage timeout volume token cache index query thread socket parser compiler database network kernel module template router widget canvas matrix vector tensor cluster queue broker schema migration plugin theme layout'.split(
    ' ',
  );
const outcomes = [];

/** A client of a server on a pipe: one request at a time. */
class PipeClient {
  #id = 0;
  #waiting = [];

  constructor() {
    this.child = spawn(process.execPath, [cli, 'mcp', '--readonly'], {
      env,
      cwd: home,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface({ input: this.child.stdout }).on('line', (line) => this.#waiting.shift()(JSON.parse(line)));
  }

  request(method, params) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  residentBytes() {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'))[1]) * 1024;
  }

  /** User and system time so far; the system counts in hundredths of a second. */
  cpuMs() {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  close() {
    this.child.stdin.end();
    return new Promise((resolve) => this.child.once('exit', resolve));
  }
}

function quantile(samples, q) {
  return samples.toSorted((a, b) => a - b)[Math.min(samples.length - 1, Math.floor(samples.length * q))];
}

function printRow(what, value, most, unit) {
  const fits = value <= most;
  outcomes.push(fits);
  console.log(
    `${what.padEnd(56)} ${value.toFixed(2).padStart(8)} ${unit} (at most ${most}): ${fits ? 'ok' : 'too much'}`,
  );
}

/** Real documents if available, otherwise generated ones with a realistic distribution of words. */
function writeDocuments() {
  if (existsSync(archive)) {
    spawnSync('tar', ['xzf', archive, '-C', workspace]);
    return;
  }
  for (let n = 0; n < 5000; n++) {
    const words = Array.from(
      { length: 300 },
      (_, i) => WORDS[Math.floor(WORDS.length ** (((n * 31 + i * 17) % 101) / 101))],
    );
    writeFileSync(path.join(workspace, `note-${n}.md`), `# Note ${n}\n\n${words.join(' ')}\n`);
  }
}

/** A search of three words; the first 10,000 are all different. */
function search(n) {
  const [a, b, c] = [n, Math.floor(n / WORDS.length), Math.floor(n / WORDS.length ** 2) + 7];
  const query = [a, a + b + 1, a + b + c].map((at) => WORDS[at % WORDS.length]).join(' ');
  return { name: 'search', arguments: { query, mode: 'lexical' } };
}

async function startRatio() {
  const samples = { empty: [], server: [] };
  for (let run = 0; run < 15; run++) {
    let begin = performance.now();
    spawnSync(process.execPath, ['-e', '0'], { env });
    samples.empty.push(performance.now() - begin);
    begin = performance.now();
    const client = new PipeClient();
    await client.request('initialize', INITIALIZE);
    samples.server.push(performance.now() - begin);
    await client.close();
  }
  const [empty, server] = [quantile(samples.empty, 0.5), quantile(samples.server, 0.5)];
  console.log(`node -e 0 ${empty.toFixed(1)} ms, server to first response ${server.toFixed(1)} ms (median of 15)`);
  printRow('start to first answered request / node -e 0', server / empty, 5, '×');
}

async function warmSearch(client) {
  for (let n = 0; n < 50; n++) await client.request('tools/call', search(n));
  const samples = [];
  const before = client.cpuMs();
  for (let n = 0; n < 500; n++) {
    const begin = performance.now();
    const { result } = await client.request('tools/call', search(n * 7 + 1));
    samples.push(performance.now() - begin);
    if (result.isError) throw new Error(result.content[0].text);
  }
  console.log(`CPU of the server for each search ${((client.cpuMs() - before) / samples.length).toFixed(2)} ms`);
  printRow('warm lexical search, 5,000 documents, p50', quantile(samples, 0.5), 3, 'ms');
  printRow('warm lexical search, 5,000 documents, p95', quantile(samples, 0.95), 10, 'ms');
}

async function memory(client) {
  let after1000 = 0;
  for (let n = 1; n <= 10_000; n++) {
    await client.request('tools/call', search(n));
    if (n === 1000) after1000 = client.residentBytes();
  }
  const after = client.residentBytes();
  console.log(
    `resident after 1,000 calls ${(after1000 / 1e6).toFixed(1)} MB, after 10,000 ${(after / 1e6).toFixed(1)} MB`,
  );
  printRow('memory after 10,000 calls / after 1,000', after / after1000, 1.1, '×');
}

async function manyClients() {
  const child = spawn(process.execPath, [cli, 'mcp', '--readonly', '--port', '0'], {
    env,
    cwd: home,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const url = await new Promise((resolve) =>
    createInterface({ input: child.stderr }).on('line', (line) => resolve(/http:\S+\/mcp/.exec(line)?.[0])),
  );
  const begin = performance.now();
  const lost = await Promise.all(
    Array.from({ length: 20 }, async (_, who) => {
      let wrong = 0;
      for (let turn = 0; turn < 50; turn++) {
        const id = `${who}-${turn}`;
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: search(who * 50 + turn) }),
        });
        const answer = await response.json();
        if (answer.id !== id || answer.result?.isError !== undefined) wrong++;
      }
      return wrong;
    }),
  );
  const ms = performance.now() - begin;
  console.log(`20 clients × 50 searches over HTTP in ${ms.toFixed(0)} ms`);
  printRow(
    'lost or misordered answers',
    lost.reduce((a, b) => a + b),
    0,
    '',
  );
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
}

try {
  await bundle(path.join(root, 'host-cli', 'dist', 'bundle'));
  mkdirSync(workspace);
  writeDocuments();
  const ingest = spawnSync(process.execPath, [cli, 'ingest', '--quiet', '--summary-only'], {
    env,
    cwd: home,
    encoding: 'utf8',
  });
  if (ingest.status !== 0) throw new Error(ingest.stderr);
  // Figures of a busy machine are less meaningful: with more load than cores everything waits.
  console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}`);
  await startRatio();
  const client = new PipeClient();
  await client.request('initialize', INITIALIZE);
  await warmSearch(client);
  await memory(client);
  await client.close();
  await manyClients();
  process.exitCode = outcomes.every(Boolean) ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
