import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * What may stay: files that ONNX Runtime writes by itself, and the folder of `pluginContext`, which goes when its process
 * ends; a thread that is terminated does not see that.
 */
const MAY_STAY = /^(?:\.ses|mat-debug-\d+\.log|kebab-plugin-test-\d+)$/;

/** Gives a run of the tests a temporary folder of its own, and fails the run when a test leaves something there. */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-tests-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  process.env['KEBAB_SERVICE'] = 'off'; // no test leaves a process behind; those about services say so
  return () => {
    const left = readdirSync(folder).filter((name) => !MAY_STAY.test(name));
    rmSync(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    process.stderr.write(`error: tests left ${left.join(', ')} in the temporary folder\n`);
    process.exitCode = 1;
  };
}
