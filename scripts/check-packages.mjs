// Checks every publishable package as its users get it: packs it with npm, then runs publint and arethetypeswrong, and type-checks its
// entries with TypeScript 5.9 and 7 (`typescript-5` and `typescript`). Run it after `npm run build`. Exits with 1 and a list of problems.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packAll } from './pack-packages.mjs';
import { PUBLISHED } from './published.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** Rules of arethetypeswrong that do not apply: every package is ES modules only, for Node 20 and later. */
const IGNORED_PROBLEMS = new Set(['CJSResolvesToESM']);
const IGNORED_RESOLUTIONS = new Set(['node10']);
const COMPILERS = ['typescript', 'typescript-5'];

/** The packages that are published, by folder. */
export function publishablePackages() {
  return PUBLISHED.map((place) => path.join(root, place)).map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')),
  }));
}

/** The problems of packages, as lines. The types of all entries are checked, unless a package lists some. */
export async function checkPackages(packages) {
  const workshop = mkdtempSync(path.join(tmpdir(), 'kebab-packages-'));
  try {
    const packed = [];
    for (const { folder, entries } of packages) {
      const tarball = await pack(folder, workshop);
      const manifest = JSON.parse(
        execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
      );
      packed.push({ manifest, entries: entries ?? entriesOf(manifest), tarball });
    }
    const found = [];
    for (const one of packed) found.push(...(await lint(one)), ...(await checkTypes(one)));
    return [...found, ...compileAll(packed, workshop)];
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

function entriesOf({ exports = {} }) {
  return Object.keys(exports).filter((entry) => !entry.endsWith('.json'));
}

/** Packs a published package as it is published, and other packages with npm. */
async function pack(folder, target) {
  const place = path.relative(root, folder).replaceAll('\\', '/');
  if (PUBLISHED.includes(place)) return Object.values(await packAll(target, [place]))[0];
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', target];
  const [{ filename }] = JSON.parse(
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  return path.join(target, filename.replace('@', '').replace('/', '-'));
}

async function lint({ manifest, tarball }) {
  const { publint } = await import('publint');
  const { formatMessage } = await import('publint/utils');
  const tar = readFileSync(tarball);
  const bytes = tar.buffer.slice(tar.byteOffset, tar.byteOffset + tar.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, level: 'suggestion', strict: true });
  return messages.map((message) => `${manifest.name}: publint: ${formatMessage(message, pkg) ?? message.code}`);
}

async function checkTypes({ manifest, entries, tarball }) {
  if (entries.length === 0) return [];
  const attw = await import('@arethetypeswrong/core');
  const packed = attw.createPackageFromTarballData(new Uint8Array(readFileSync(tarball)));
  const analysis = await attw.checkPackage(packed, { entrypoints: entries });
  if (analysis.types === false) return [`${manifest.name}: arethetypeswrong: it has no types`];
  return analysis.problems
    .filter(({ kind, resolutionKind }) => !IGNORED_PROBLEMS.has(kind) && !IGNORED_RESOLUTIONS.has(resolutionKind))
    .map(
      (problem) =>
        `${manifest.name}: arethetypeswrong: ${problem.kind} at ${problem.entrypoint ?? problem.fileName ?? '.'}`,
    );
}

/** Imports every entry of every package in one project, with the libraries' own types checked too. */
function compileAll(packed, workshop) {
  const modules = path.join(workshop, 'node_modules');
  for (const { manifest, tarball } of packed) {
    const target = path.join(modules, manifest.name);
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
  }
  link('@types/node', modules);
  for (const one of packed) linkDeclared(one, modules);
  const imported = packed.flatMap(({ manifest, entries }) =>
    entries.map((entry) => `${manifest.name}${entry.slice(1)}`),
  );
  writeFileSync(path.join(workshop, 'package.json'), '{"type": "module"}');
  writeFileSync(
    path.join(workshop, 'all.ts'),
    imported.map((entry, at) => `export * as p${at} from '${entry}';\n`).join(''),
  );
  const options = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    strict: true,
    noEmit: true,
  };
  writeFileSync(
    path.join(workshop, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { ...options, skipLibCheck: false, skipDefaultLibCheck: true },
      files: ['all.ts'],
    }),
  );
  return COMPILERS.flatMap((compiler) => compile(compiler, workshop, packed));
}

function compile(compiler, workshop, packed) {
  const tsc = path.join(path.dirname(require.resolve(`${compiler}/package.json`)), 'bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
    cwd: workshop,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const ours = packed.map(({ manifest }) => `node_modules/${manifest.name}/`);
  const isOurs = (line) => ['all.ts', 'error', ...ours].some((begin) => line.startsWith(begin));
  return stdout.split('\n').flatMap((line) => (isOurs(line) ? [`${compiler}: ${line}`] : []));
}

/** Links only the declared dependencies of a package, as npm would install them. */
function linkDeclared({ manifest }, modules) {
  const { dependencies, peerDependencies, optionalDependencies } = manifest;
  const own = path.join(modules, manifest.name, 'node_modules');
  for (const name of Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies }))
    if (![modules, own].some((place) => existsSync(path.join(place, name)))) link(name, own);
}

function link(name, modules) {
  const [from, to] = [path.join(root, 'node_modules', name), path.join(modules, name)];
  if (!existsSync(from)) return; // an optional dependency
  mkdirSync(path.dirname(to), { recursive: true });
  symlinkSync(from, to, 'junction');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const wanted = process.argv.slice(2);
  const packages = publishablePackages().filter(
    ({ manifest }) => wanted.length === 0 || wanted.includes(manifest.name),
  );
  const found = await checkPackages(packages);
  for (const line of found) console.error(line);
  console.log(`packages: ${packages.length} packed, ${found.length} problems`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
