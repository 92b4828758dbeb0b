import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Files that may remain: those that ONNX Runtime writes itself, and those removed when their process exits (the folder of `pluginContext`
 * and the shared bundle), which a terminated thread does not do.
 */
const MAY_STAY = /^(?:\.ses|mat-debug-\d+\.log|kebab-plugin-test-\d+|node-compile-cache|kebab-test-bundle-\w+)$/;

/** The number of listed names, enough to identify the test. */
const SHOWN = 20;

/** Gives a test run its own temporary folder, and fails the run if a test leaves something there. */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-tests-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  process.env['KEBAB_TEST_BUNDLE'] = path.join(folder, 'kebab-test-bundle-shared'); // created by the first test that needs it
  process.env['KEBAB_SERVICE'] = 'off'; // no test leaves a process behind; tests of the service override this
  return () => {
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => !MAY_STAY.test(name.split(path.sep)[0] ?? name),
    );
    rmSync(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    process.stderr.write(`error: tests left ${left.slice(0, SHOWN).join(', ')} in the temporary folder\n`);
    process.exitCode = 1;
  };
}
