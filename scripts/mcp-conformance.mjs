// Runs the official conformance suite against a server built on host-mcp, for each revision of the protocol. What it needs
// (the suite, and a Node that runs it) is installed into a temporary folder; it takes a minute.
//   node scripts/mcp-conformance.mjs [--keep FOLDER]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The older suite is stable and knows the older revisions; the newer one also knows the stateless revision. */
const RUNS = [
  { suite: '0.1.16', revisions: [null] },
  { suite: '0.2.0-alpha.12', revisions: ['2025-06-18', '2025-11-25', '2026-07-28'] },
];
const root = fileURLToPath(new URL('..', import.meta.url));
const expected = path.join(root, 'host-mcp', 'test', 'conformance', 'expected-failures.yml');
const keep = process.argv.indexOf('--keep');
const folder =
  keep === -1 ? mkdtempSync(path.join(tmpdir(), 'kebab-conformance-')) : path.resolve(process.argv[keep + 1]);

const server = spawn(
  process.execPath,
  ['--import', './scripts/run-ts.mjs', 'host-mcp/test/conformance/fixture-host.ts'],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
);
try {
  const url = await firstLine(server);
  let failed = false;
  for (const { suite, revisions } of RUNS) {
    const { node, program } = install(suite);
    for (const revision of revisions) {
      const which = revision === null ? [] : ['--suite', 'all', '--spec-version', revision];
      const args = [program, 'server', '--url', url, '--expected-failures', expected, ...which];
      const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8', cwd: folder });
      console.log(
        `suite ${suite}, revision ${revision ?? 'all it knows'}: ${status === 0 ? 'as expected' : 'NOT as expected'}`,
      );
      console.log(stdout.slice(Math.max(0, stdout.indexOf('=== SUMMARY ==='))).trim());
      if (status !== 0) console.log(stderr.trim());
      failed ||= status !== 0;
    }
  }
  process.exitCode = failed ? 1 : 0;
} finally {
  server.kill();
  if (keep === -1) rmSync(folder, { recursive: true, force: true });
}

/** The suite asks for Node 22; the package `node` brings one, whatever runs this script. */
function install(version) {
  const target = path.join(folder, version);
  const program = path.join(target, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  const node = path.join(target, 'node_modules', 'node', 'bin', 'node');
  if (existsSync(program) && existsSync(node)) return { node, program };
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, 'package.json'), '{"private":true}\n');
  const packages = [`@modelcontextprotocol/conformance@${version}`, 'node@22'];
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...packages], {
    cwd: target,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm install failed: ${stderr}`);
  return { node, program };
}

function firstLine(child) {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout.once('data', (data) => resolve(String(data).trim()));
  });
}
