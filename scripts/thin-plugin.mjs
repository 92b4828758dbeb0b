// Makes `@kebab/plugin` as it is published: what authors need of kebab, without the engine and with no dependencies. Its code is
// bundled from the sources, its declarations are those that the compiler writes; nothing is written by hand.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { licencesOf } from './bundled-licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The entries of the package, by the path of their module. */
const ENTRIES = { index: 'kits/plugin/src/index.ts', 'testing/index': 'kits/plugin/src/testing/index.ts' };
/** Where the declarations of the core lie in the package. */
const CORE = 'core';

/** Writes what goes into `dist` of the published package into a folder. */
export async function buildThinPlugin(dist) {
  // Declarations that are up to date take no time.
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-b', path.join(root, 'kits/plugin')]);
  const graph = await rolldown({
    cwd: root,
    input: ENTRIES,
    platform: 'node',
    resolve: { conditionNames: ['kebab-src', 'import', 'module', 'node', 'default'] },
    onLog(level, log, handle) {
      if (level === 'warn') throw new Error(log.message);
      handle(level, log);
    },
  });
  const { output } = await graph.write({ dir: dist, format: 'esm', entryFileNames: '[name].js' });
  await graph.close();
  const outside = output
    .flatMap(({ imports = [] }) => imports)
    .filter((name) => !/^(?:node:|\.|[^/]+\.js$)/.test(name));
  if (outside.length > 0) throw new Error(`@kebab/plugin is to stand alone, and imports ${outside.join(', ')}`);
  writeFileSync(path.join(dist, 'LICENSES.txt'), licencesOf(output.flatMap(({ moduleIds = [] }) => moduleIds)));
  copyDeclarations(dist);
}

/** Copies the declarations that the entries lead to, those of the core below `core/`. */
function copyDeclarations(dist) {
  const from = { own: path.join(root, 'kits/plugin/dist'), core: path.join(root, 'core/dist') };
  const seen = new Set();
  const copy = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    const isCore = file.startsWith(from.core + path.sep);
    const target = isCore
      ? path.join(dist, CORE, path.relative(from.core, file))
      : path.join(dist, path.relative(from.own, file));
    const led = readFileSync(file, 'utf8').replaceAll(
      /(\bfrom |\bimport\()(['"])([^'"]+)\2/g,
      (whole, before, quote, specifier) => {
        if (specifier.startsWith('.')) {
          copy(path.resolve(path.dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts')));
          return whole;
        }
        const entry = /^@kebab\/core(\/testing)?$/.exec(specifier);
        if (entry === null) throw new Error(`${path.relative(root, file)} imports types of ${specifier}`);
        const place = entry[1] === undefined ? 'index' : 'testing/index';
        copy(path.join(from.core, `${place}.d.ts`));
        const to = path.relative(path.dirname(target), path.join(dist, CORE, `${place}.js`)).replaceAll('\\', '/');
        return `${before}${quote}${to.startsWith('.') ? to : `./${to}`}${quote}`;
      },
    );
    mkdirSync(path.dirname(target), { recursive: true });
    cpSync(file, target);
    writeFileSync(target, led.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
  };
  for (const entry of Object.keys(ENTRIES)) copy(path.join(from.own, `${entry}.d.ts`));
}
