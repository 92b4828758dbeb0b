// The licences of the packages whose code is in a bundle, which must be distributed with it.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const LICENCE = /^(?:licen[cs]e|notice|copying)/i;
const PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/** The licences of all packages of the given modules, by package name. Throws for a package without one. */
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
