// Reads every import of the sources and fails on those that .dependency-cruiser.mjs forbids, and on a suspiciously small number
// of modules (a check that reads nothing finds nothing). The folder of another checkout may be given.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import rules from '../.dependency-cruiser.mjs';

const FEWEST_MODULES = 400;

/**
 * dependency-cruiser parses TypeScript with the compiler's API, which TypeScript 7 lacks: it would silently read nothing. Requests for the
 * version or the module of `typescript` are redirected to version 5.
 */
function lendTypeScript5() {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve('typescript/package.json');
  require(manifest);
  require.cache[manifest].exports = require('typescript-5/package.json');
  const hook = `export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

/** The `src` folders of the workspaces in package.json; `kits/*` means each folder in it. */
function sourceFolders(root) {
  const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return workspaces
    .flatMap((name) =>
      name.endsWith('/*')
        ? readdirSync(path.join(root, name.slice(0, -2))).map((folder) => `${name.slice(0, -1)}${folder}`)
        : [name],
    )
    .map((folder) => `${folder}/src`)
    .filter((folder) => existsSync(path.join(root, folder)));
}

lendTypeScript5();
const { cruise } = await import('dependency-cruiser');
const root = path.resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
const { enhancedResolveOptions, ...options } = rules.options;
const { output } = await cruise(
  sourceFolders(root),
  { ...options, baseDir: root, validate: true, ruleSet: { forbidden: rules.forbidden } },
  enhancedResolveOptions,
);
const comments = new Map(rules.forbidden.map(({ name, comment }) => [name, comment]));
const found = output.summary.violations.map(
  ({ from, to, rule }) => `${from}: ${rule.name}: imports "${to}": ${comments.get(rule.name)}`,
);
const modules = output.modules.filter(({ source }) => /(^|\/)src\/.*\.ts$/.test(source)).length;
if (modules < FEWEST_MODULES) found.push(`only ${modules} modules were read: is the check looking in the right place?`);
for (const line of found) console.error(line);
console.log(`boundaries: ${modules} modules, ${found.length} offences`);
process.exitCode = found.length === 0 ? 0 : 1;
