// Writes the files of create-kebab-plugin/templates into a module of that package, so that bundle and dist read no file.
// With --check it only compares, and exits 1 when the module is not current.
// The table of settings in each README is made from the schema of the template, as `npm run readme` makes it in a project.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const folder = new URL('../create-kebab-plugin/', import.meta.url);
const target = new URL('src/templates.generated.ts', folder);

/** The text that the generated module should have. */
export async function renderTemplates() {
  const { version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  const kinds = readdirSync(new URL('templates/', folder))
    .filter((name) => name !== 'common')
    .toSorted();
  const readme = readFileSync(new URL('templates/common/README.md', folder), 'utf8');
  const readmes = await readmesOf(kinds, readme);
  return `// Generated from templates/ by scripts/embed-templates.mjs; run it again after each change.
import type { TemplateFiles } from './template-files.ts';

/** The version of this package, and of the kebab that plugins are begun for. */
export const RELEASE = '${version}';

/** What every project begins with. */
export const COMMON_FILES: TemplateFiles = {
${filesOf('common', '  ')}};

/** What a project of each kind begins with besides. */
export const KIND_FILES: Readonly<Record<string, TemplateFiles>> = {
${kinds.map((kind) => `  ${kind}: {\n    'README.md': ${literal(readmes[kind])},\n${filesOf(kind, '    ')}  },\n`).join('')}};
`;
}

function filesOf(kind, indent) {
  const root = fileURLToPath(new URL(`templates/${kind}/`, folder));
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'README.md')
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.replaceAll('\\', '/'))
    .toSorted()
    .map(
      (file) =>
        `${indent}${keyOf(file.slice(root.length).replace(/^\//, ''))}: ${literal(readFileSync(file, 'utf8'))},\n`,
    )
    .join('');
}

/** The README of each kind, with the settings of its template. */
async function readmesOf(kinds, readme) {
  const bundleDir = mkdtempSync(join(tmpdir(), 'kebab-templates-'));
  const input = join(bundleDir, 'entry.mjs');
  const template = (kind) => JSON.stringify(fileURLToPath(new URL(`templates/${kind}/src/index.ts`, folder)));
  const core = JSON.stringify(fileURLToPath(new URL('../core/src/testing/with-settings.ts', folder)));
  const lines = kinds.map((kind) => `export { default as ${kind} } from ${template(kind)};`);
  writeFileSync(input, [...lines, `export { withSettings } from ${core};`].join('\n'));
  try {
    const resolve = { conditionNames: ['kebab-src', 'import', 'module', 'node', 'default'] };
    const bundle = await rolldown({ input, platform: 'node', resolve });
    await bundle.write({ dir: bundleDir, format: 'esm', entryFileNames: 'bundle.mjs' });
    await bundle.close();
    const { withSettings, ...plugins } = await import(pathToFileURL(join(bundleDir, 'bundle.mjs')).href);
    return Object.fromEntries(kinds.map((kind) => [kind, withSettings(readme, plugins[kind])]));
  } finally {
    rmSync(bundleDir, { recursive: true, force: true });
  }
}

/** As the formatter writes it. */
function keyOf(name) {
  return /^[a-z]+$/i.test(name) ? name : `'${name}'`;
}

function literal(text) {
  return `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const wanted = await renderTemplates();
  if (!process.argv.includes('--check')) writeFileSync(target, wanted);
  else if (readFileSync(target, 'utf8') !== wanted) {
    process.stderr.write('templates.generated.ts is not current: run node scripts/embed-templates.mjs\n');
    process.exitCode = 1;
  }
}
