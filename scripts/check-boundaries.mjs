// Reads every import of the sources and fails on those that scripts/boundaries.mjs forbids, on a file over 400 lines, and
// on a suspiciously small number of modules (a check that reads nothing finds nothing).
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync } from 'rolldown/utils';
import { RULES } from './boundaries.mjs';

const FEWEST_MODULES = 120;

/** Every offence in the given files, as `file: rule "specifier": why`. Files are repository paths with their text. */
export function offences(files) {
  return files.flatMap(({ file, text }) =>
    importsOf(file, text).flatMap((found) =>
      RULES.filter((rule) => rule.forbids(found)).map(
        (rule) => `${file}: ${rule.name}: imports "${found.specifier}": ${rule.why}`,
      ),
    ),
  );
}

/** The imports of one module, static and dynamic. */
export function importsOf(file, text) {
  const { module } = parseSync(file, text);
  const target = (specifier) =>
    specifier.startsWith('.') ? path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)) : null;
  const make = (specifier, lazy, typeOnly) => ({ file, specifier, target: target(specifier), lazy, typeOnly });
  const literal = (node) => text.slice(node.start, node.end).replaceAll(/^['"`]|['"`]$/g, '');
  return [
    ...module.staticImports.map((i) =>
      make(i.moduleRequest.value, false, i.entries.length > 0 && i.entries.every((entry) => entry.isType)),
    ),
    ...module.staticExports.flatMap((e) =>
      e.entries
        .filter((entry) => entry.moduleRequest)
        .map((entry) => make(entry.moduleRequest.value, false, entry.isType)),
    ),
    ...module.dynamicImports.map((i) => make(literal(i.moduleRequest), true, false)),
  ];
}

function sources(root) {
  return workspaceFolders(root).flatMap((folder) =>
    readdirSync(path.join(root, folder, 'src'), { recursive: true })
      .map((name) => path.posix.join(folder, 'src', String(name).replaceAll(path.sep, '/')))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') })),
  );
}

/** The folders that package.json names as workspaces; `kits/*` stands for each folder in it. */
function workspaceFolders(root) {
  const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return workspaces
    .flatMap((name) =>
      name.endsWith('/*')
        ? readdirSync(path.join(root, name.slice(0, -2))).map((p) => `${name.slice(0, -1)}${p}`)
        : [name],
    )
    .filter((folder) => existsSync(path.join(root, folder, 'src')));
}

function main() {
  const files = sources(fileURLToPath(new URL('..', import.meta.url)));
  const found = offences(files);
  for (const { file, text } of files) {
    const lines = text.split('\n').length - 1;
    if (lines > 400 && !file.endsWith('.generated.ts')) found.push(`${file}: ${lines} lines: a file holds one idea`);
  }
  if (files.length < FEWEST_MODULES)
    found.push(`only ${files.length} modules were read: is the check looking in the right place?`);
  for (const line of found) console.error(line);
  console.log(`boundaries: ${files.length} modules, ${found.length} offences`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
