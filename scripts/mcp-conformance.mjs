// Runs the official conformance suite against a server built on host-mcp, for each revision of the protocol, and compares the failures with
// host-mcp/test/conformance/expected-failures.yml. The suite, and a Node that runs it, are installed into a temporary folder and kept
// there. Exits with 3 if the npm registry cannot be reached.
//   node scripts/mcp-conformance.mjs [--folder FOLDER]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { install, nodeForTools, runWithTools, toolFolder } from './mcp-install.mjs';

const SUITE = '@modelcontextprotocol/conformance';
/** The older suite is stable and supports the older revisions; the newer one also supports the stateless revision. */
const RUNS = [
  { version: '0.1.16', revision: null },
  { version: '0.2.0-alpha.12', revision: '2025-06-18' },
  { version: '0.2.0-alpha.12', revision: '2025-11-25' },
  { version: '0.2.0-alpha.12', revision: '2026-07-28' },
];
/** A guard against hangs: a run takes some seconds. */
const RUN_LIMIT_MS = 90_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const expected = path.join(root, 'host-mcp', 'test', 'conformance', 'expected-failures.yml');

await runWithTools(async () => {
  const folder = toolFolder(process.argv);
  const node = nodeForTools(folder);
  const programs = new Map(
    RUNS.map(({ version }) => [version, path.join(install(folder, { name: SUITE, version }), 'dist', 'index.js')]),
  );
  const fixture = spawn(
    process.execPath,
    ['--import', './scripts/run-ts.mjs', 'host-mcp/test/conformance/fixture-host.ts'],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    const url = await firstLine(fixture);
    // Concurrently, because a run mostly waits. One server serves all of them, like several clients.
    const runs = await Promise.all(
      RUNS.map(({ version, revision }) => {
        const which = revision === null ? [] : ['--suite', 'all', '--spec-version', revision];
        const cwd = mkdtempSync(path.join(folder, 'run-')); // the suite writes its results into the working directory
        const args = [programs.get(version), 'server', '--url', url, '--expected-failures', expected, ...which];
        const run = finished(spawn(node, args, { cwd, timeout: RUN_LIMIT_MS }));
        return run.finally(() => rmSync(cwd, { recursive: true, force: true }));
      }),
    );
    const judged = RUNS.map(({ version, revision }, at) =>
      report(`suite ${version}, revision ${revision ?? '2025-11-25'}`, runs[at]),
    );
    return judged.every(Boolean);
  } finally {
    fixture.kill();
  }
});

/** Prints a line for each run, and the whole output of the suite if something is unexpected. */
function report(title, { code, output }) {
  const scenarios = [...output.matchAll(/^(✓|✗) ([\w-]+): \d+ passed/gm)];
  const named = (sign) => scenarios.filter(([, each]) => each === sign).map(([, , name]) => name);
  const [passed, failed] = [named('✓'), named('✗')];
  const fine = code === 0 && passed.length > 0;
  console.log(`${title}: ${passed.length} scenarios pass, ${failed.length} fail${fine ? ' as expected' : ''}`);
  if (failed.length > 0) console.log(`  ${failed.join(' ')}`);
  if (!fine) console.log(output);
  return fine;
}

function finished(child) {
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => parts.push(data));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code, output: stripVTControlCharacters(Buffer.concat(parts).toString('utf8')) }),
    );
  });
}

function firstLine(child) {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout.once('data', (data) => resolve(String(data).trim()));
  });
}
