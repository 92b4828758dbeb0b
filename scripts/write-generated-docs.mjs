// Writes the generated parts of docs/ from the table of configuration keys (the reference in docs/configuration.md, between its two
// markers, and docs/configuration.schema.json) and from the language packs (docs/languages.md). With --check it only compares, and exits 1
// naming the files that differ.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const MARKERS = /(<!-- keys:[^\n]*-->\n)[\s\S]*(<!-- \/keys -->)/;

const { builtins, describeKeys, configJsonSchema, keyTableWith } = await loadModules(
  ['core/src/config/describe-keys.ts', 'core/src/config/key-table.ts', 'builtins/src/index.ts'],
  [/^@kebab\/plugin-[a-z-]+$/], // the code of plugins is loaded on first use, and their manifests and sections are enough
);
const keys = keyTableWith(builtins.flatMap(({ manifest: { section } }) => (section === undefined ? [] : [section])));
const { languagePage } = await loadModules(['scripts/language-table.ts']);
const wanted = {
  'docs/configuration.md': textOf('docs/configuration.md').replace(
    MARKERS,
    (_match, begin, end) => `${begin}\n${describeKeys(keys)}\n${end}`,
  ),
  'docs/languages.md': languagePage(),
  'docs/configuration.schema.json': `${JSON.stringify(configJsonSchema(keys), null, 2)}\n`,
};

const differing = Object.keys(wanted).filter((name) => textOf(name) !== wanted[name]);
if (process.argv.includes('--check')) {
  for (const name of differing) console.error(`${name} differs: run node scripts/write-generated-docs.mjs`);
  process.exitCode = differing.length === 0 ? 0 : 1;
} else {
  for (const name of differing) writeFileSync(join(root, name), wanted[name]);
  console.log(`${Object.keys(wanted).length} files, ${differing.length} changed`);
}

/** The current modules, bundled for this process. */
async function loadModules(files, external = []) {
  const bundleDir = mkdtempSync(join(tmpdir(), 'kebab-docs-'));
  const input = join(bundleDir, 'entry.mjs');
  const exporting = files.map((file) => `export * from ${JSON.stringify(join(root, file))};`);
  writeFileSync(input, exporting.join('\n'));
  try {
    const resolve = { conditionNames: ['kebab-src', 'import', 'module', 'node', 'default'] };
    const bundle = await rolldown({
      input,
      platform: 'node',
      resolve,
      external: [/^web-tree-sitter/, /^tree-sitter-/, ...external],
    });
    await bundle.write({ dir: bundleDir, format: 'esm', entryFileNames: 'bundle.mjs' });
    return await import(pathToFileURL(join(bundleDir, 'bundle.mjs')).href);
  } finally {
    rmSync(bundleDir, { recursive: true, force: true });
  }
}

function textOf(name) {
  try {
    return readFileSync(join(root, name), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
