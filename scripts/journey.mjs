// The steps of a user with kebab in a fresh home, as typed: scripts take them against a real registry, and tests against a small one.
import { execFile } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The environment variables that a program inherits: a new user has no others. */
const INHERITED = ['PATH', 'LANG', 'HTTPS_PROXY', 'NODE_EXTRA_CA_CERTS', 'npm_config_cafile'];

/** A user with a fresh home and a registry. Counts the typed lines, and reports the duration of each step. */
export class Journey {
  #lines = 0;
  #env;
  #say;

  /** `env` is added to the environment; `say` receives progress messages. */
  constructor({ home, registry, env = {}, say = console.log }) {
    this.home = home;
    this.#say = say;
    const kept = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
    this.#env = {
      ...Object.fromEntries(kept),
      HOME: home,
      TMPDIR: path.join(home, 'tmp'),
      KEBAB_SERVICE: 'off', // nothing keeps running when the journey is over
      npm_config_update_notifier: 'false',
      npm_config_fund: 'false',
      npm_config_audit: 'false',
      ...env,
    };
    mkdirSync(this.#env.TMPDIR, { recursive: true });
    // As written by `npm login`.
    const login = `${registry.slice(registry.indexOf('//'))}:_authToken=loopback`;
    writeFileSync(path.join(home, '.npmrc'), `registry=${registry}\n${login}\n`);
  }

  /** The typed lines. */
  get lines() {
    return this.#lines;
  }

  /** Runs a line, and returns both outputs. Throws if it fails, or with `fails` if it does not. */
  run(program, args, { cwd = this.home, fails = false, env = {} } = {}) {
    this.#lines += 1;
    const typed = [path.basename(program), ...args].join(' ');
    return new Promise((resolve, reject) => {
      execFile(program, args, { cwd, env: { ...this.#env, ...env }, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
        this.#say(`$ ${typed}`);
        if ((error !== null) === fails) resolve(fails ? `${stdout}${stderr}` : stdout);
        else
          reject(new Error(`${typed}: ${fails ? 'it was to fail, and did not' : error.message}\n${stdout}${stderr}`));
      }).stdin?.end();
    });
  }

  /** Takes a step, and reports its duration in minutes. */
  async timed(what, step) {
    const start = performance.now();
    const result = await step();
    this.#say(`  ${what}: ${((performance.now() - start) / 60_000).toFixed(2)} min`);
    return result;
  }

  say(text) {
    this.#say(text);
  }
}

/**
 * The steps of a user: installs the command line, searches a folder, installs an optional part and uses it. Returns the program and the
 * size of its installation in megabytes. `afterInstall` is called with the folder of the installation.
 */
export async function useAsUser(user, { flags = [], afterInstall = () => {} } = {}) {
  const prefix = path.join(user.home, 'node');
  await user.timed('npm install -g', () =>
    user.run('npm', ['install', '-g', '--prefix', prefix, ...flags, '@kebab/cli']),
  );
  const megabytes = megabytesOf(prefix);
  afterInstall(path.join(prefix, 'lib/node_modules'));
  user.say(`  installed: ${megabytes.toFixed(1)} MB`);

  const program = path.join(prefix, 'bin/kebab');
  const kebab = (...line) => user.run(program, line);
  cpSync(path.join(root, 'examples/notes'), path.join(user.home, 'notes'), { recursive: true });
  await kebab('add', 'notes');
  await kebab('ingest', '--quiet');
  expect(await kebab('search', 'how long does the dough ferment', '-l'), 'bread/sourdough.md', 'a search');
  expect(await kebab('get', 'notes:http/retry.ts:13-16'), 'export function backoff', 'code');
  return { program, prefix, megabytes };
}

/** The steps of a user who needs an optional part: gets a hint, installs it, and uses it. Returns its size in megabytes. */
export async function usePart(user, { program, part }) {
  const command = `kebab plugin install ${part}`;
  expect(await user.run(program, ['doctor']), command, 'what doctor says is absent');
  await user.timed(command, () => user.run(program, ['plugin', 'install', part]));
  const parts = path.join(user.home, '.local/share/kebab/plugins/parts');
  const megabytes = megabytesOf(parts);
  user.say(`  ${part}: ${megabytes.toFixed(1)} MB`);
  if ((await user.run(program, ['doctor'])).includes(command)) throw new Error(`the part ${part} is not found`);
  return megabytes;
}

export function expect(text, wanted, what) {
  if (!text.includes(wanted)) throw new Error(`${what}: ${JSON.stringify(wanted)} is not in\n${text}`);
}

/** The total size of the files in a folder, in megabytes. */
export function megabytesOf(place) {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.size / 1e6;
  return readdirSync(place).reduce((sum, name) => sum + megabytesOf(path.join(place, name)), 0);
}
