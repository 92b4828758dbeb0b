// The command line bundled from partly changed sources, so that the measured code is what would be shipped.
import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PARTS = [
  'host-cli/src',
  'host-cli/bin',
  'host-cli/package.json',
  'builtins/src',
  'builtins/package.json',
  'scripts',
];

/**
 * Copies the command line into a folder, replaces some of its files, and bundles it. `replace` maps paths of the repository to functions
 * from the old to the new text; for a file of a plugin the whole plugin is copied. Returns the program to run.
 */
export async function shadowCheckout(folder, replace = {}) {
  const into = (...parts) => path.join(folder, ...parts);
  const plugins = [...new Set(Object.keys(replace).flatMap((file) => /^plugins\/([^/]+)\//.exec(file)?.[1] ?? []))];
  for (const part of [...PARTS, ...plugins.flatMap((name) => [`plugins/${name}/src`, `plugins/${name}/package.json`])])
    cpSync(path.join(root, part), into(part), { recursive: true });
  mkdirSync(into('plugins'), { recursive: true });
  linkOthers(path.join(root, 'plugins'), into('plugins'), plugins);
  for (const part of ['host-mcp', 'kits', 'create-kebab-plugin']) symlinkSync(path.join(root, part), into(part));
  const ours = {
    builtins: 'builtins',
    ...Object.fromEntries(plugins.map((name) => [`plugin-${name}`, `plugins/${name}`])),
  };
  mkdirSync(into('node_modules', '@kebab'), { recursive: true });
  linkOthers(path.join(root, 'node_modules'), into('node_modules'), ['@kebab']);
  linkOthers(path.join(root, 'node_modules', '@kebab'), into('node_modules', '@kebab'), Object.keys(ours));
  for (const [name, part] of Object.entries(ours)) symlinkSync(into(part), into('node_modules', '@kebab', name));
  for (const [file, change] of Object.entries(replace)) replaceText(into(file), change);
  const { bundle } = await import(pathToFileURL(into('scripts', 'bundle.mjs')).href);
  await bundle(into('host-cli', 'dist', 'bundle'));
  return into('host-cli', 'bin', 'kebab.cjs');
}

function linkOthers(from, to, except) {
  for (const entry of readdirSync(from))
    if (!except.includes(entry)) symlinkSync(path.join(from, entry), path.join(to, entry));
}

function replaceText(file, change) {
  const text = readFileSync(file, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${file} is not written as this program expects`);
  writeFileSync(file, changed);
}
