import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * What may stay: files that ONNX Runtime writes by itself, and what goes when its process ends, the folder of
 * `pluginContext` and the bundle that tests share; a thread that is terminated does not see that.
 */
const MAY_STAY = /^(?:\.ses|mat-debug-\d+\.log|kebab-plugin-test-\d+|node-compile-cache|kebab-test-bundle-\w+)$/;

/** So many names say which test it was. */
const SHOWN = 20;

/** Gives a run of the tests a temporary folder of its own, and fails the run when a test leaves something there. */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-tests-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  process.env['KEBAB_TEST_BUNDLE'] = path.join(folder, 'kebab-test-bundle-shared'); // the first test that needs it makes it
  process.env['KEBAB_SERVICE'] = 'off'; // no test leaves a process behind; those about services say so
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
