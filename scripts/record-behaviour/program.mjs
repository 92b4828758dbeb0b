// The built command line to record, and whether it was built from the sources beside it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** The bundle of a command line `host-cli/bin/kebab.cjs`, and the checkout that contains it. */
export function programOf(cli) {
  const host = path.resolve(path.dirname(cli), '..');
  return { checkout: path.dirname(host), bundle: path.join(host, 'dist', 'bundle') };
}

/** Why a program cannot be recorded; null if it can. A bundle of older sources would show their behaviour. */
export function unfitness({ checkout, bundle }) {
  const main = path.join(bundle, 'main.cjs');
  if (!existsSync(main)) return `${bundle} is not built: run npm run build in ${checkout}`;
  const built = statSync(main).mtimeMs;
  const newer = sourceFolders(checkout)
    .flatMap(filesBelow)
    .find((file) => file.endsWith('.ts') && statSync(file).mtimeMs > built);
  if (newer === undefined) return null;
  return `${bundle} is older than ${path.relative(checkout, newer)}: run npm run build in ${checkout}`;
}

/** A digest of a bundle, which distinguishes recordings of different builds. */
export function digestOfBundle({ bundle }) {
  const hash = createHash('sha256');
  for (const file of filesBelow(bundle).toSorted()) hash.update(path.relative(bundle, file)).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** The source folders of the workspaces in package.json; `plugins/*` means each folder in it. */
function sourceFolders(checkout) {
  const { workspaces } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8'));
  const folders = workspaces.flatMap((name) => {
    if (!name.endsWith('/*')) return [name];
    const parent = name.slice(0, -2);
    return existsSync(path.join(checkout, parent))
      ? readdirSync(path.join(checkout, parent)).map((each) => `${parent}/${each}`)
      : [];
  });
  return folders.map((folder) => path.join(checkout, folder, 'src')).filter((folder) => existsSync(folder));
}

function filesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}
