// Compiles the example plugins as their authors would, each with its own tsconfig.json against the built packages.
//   node scripts/build-examples.mjs
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** The folders of the example plugins; `notes` is the folder that README searches. */
export const EXAMPLES = readdirSync(path.join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => path.join(root, 'examples', name))
  .filter((folder) => existsSync(path.join(folder, 'package.json')));

/** Compiles all of them at the same time; throws the compiler's output for one that fails. */
export async function buildExamples() {
  const run = promisify(execFile);
  const compile = (folder) =>
    run(process.execPath, [tsc, '-p', folder]).catch(({ stdout, stderr }) => {
      throw new Error(`${folder}\n${stdout}${stderr}`);
    });
  await Promise.all(EXAMPLES.map(compile));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExamples();
