import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasPostgres, stopCluster } from './postgres-cluster.ts';

/**
 * Files that may remain: those that ONNX Runtime writes itself, and those removed when their process exits (the folder of `pluginContext`
 * and the shared bundle), which a terminated thread does not do.
 */
const MAY_STAY = /^(?:\.ses|mat-debug-\d+\.log|kebab-plugin-test-\d+|node-compile-cache|kebab-test-bundle-\w+)$/;

/** The number of listed names, enough to identify the test. */
const SHOWN = 20;

const CLEANER = fileURLToPath(new URL('clean-up-after-tests.mjs', import.meta.url));

const NO_POSTGRES =
  'note: tests that need PostgreSQL are skipped: install postgresql, or name a server in KEBAB_TEST_POSTGRES_URL\n';

/**
 * Gives a test run its own temporary folder, and fails the run if a test leaves something there. If the run is interrupted or killed, a
 * process beside it ends the programs that its tests have started, and removes the folder.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-tests-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  process.env['KEBAB_TEST_BUNDLE'] = path.join(folder, 'kebab-test-bundle-shared'); // created by the first test that needs it
  if (!hasPostgres()) process.stderr.write(NO_POSTGRES);
  const postgres = path.join(folder, 'kebab-postgres');
  process.env['KEBAB_TEST_POSTGRES'] = postgres; // started by the first test that needs it
  process.env['KEBAB_SERVICE'] = 'off'; // no test leaves a process behind; tests of the service override this
  const cleaner = spawn(process.execPath, [CLEANER, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  cleaner.unref();
  return () => {
    stopCluster(postgres);
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => !MAY_STAY.test(name.split(path.sep)[0] ?? name),
    );
    rmSync(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    process.stderr.write(`error: tests left ${left.slice(0, SHOWN).join(', ')} in the temporary folder\n`);
    process.exitCode = 1;
  };
}
