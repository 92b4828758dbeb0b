// The licences of the packages whose code went into a bundle: they ask to be passed on with it.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const LICENCE = /^(?:licen[cs]e|notice|copying)/i;
const PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/** The licences of all packages that modules belong to, one after another by name. Throws for a package that has none. */
export function licencesOf(moduleIds) {
  const folders = new Map();
  for (const id of moduleIds) {
    const [, folder, name] = PACKAGE.exec(id.replaceAll('\\', '/')) ?? [];
    if (folder !== undefined) folders.set(name, folder);
  }
  return [...folders]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, folder]) => `${name}\n${'='.repeat(name.length)}\n\n${licenceIn(folder, name)}\n`)
    .join('\n');
}

function licenceIn(folder, name) {
  const files = readdirSync(folder).filter((file) => LICENCE.test(file));
  if (files.length > 0) return files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n');
  const { license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} has no licence to pass on`);
  return `Licence: ${license}`;
}
