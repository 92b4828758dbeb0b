// Compiles the example plugins as their authors would, each with its own tsconfig.json against the built packages.
//   node scripts/build-examples.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** The folders of the example plugins; `notes` is the folder that README searches. */
export const EXAMPLES = readdirSync(path.join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => path.join(root, 'examples', name))
  .filter((folder) => existsSync(path.join(folder, 'package.json')));

/** Compiles all of them; throws the compiler's output for the first that fails. */
export function buildExamples() {
  for (const folder of EXAMPLES) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${folder}\n${stdout}${stderr}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildExamples();
