// A temporary home folder, and the program that runs in it.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A guard against hangs; the slowest call of a recording takes a minute on a busy machine. */
const CALL_LIMIT_MS = 300_000;

/** A user: home, folders of kebab, environment. Nothing is inherited from the recording user. */
export class World {
  constructor(folder, { cli, env = {} }) {
    this.folder = folder;
    this.cli = cli;
    for (const name of ['home', 'tmp', 'work', 'notes']) mkdirSync(this.at(name), { recursive: true });
    this.env = {
      PATH: process.env.PATH,
      HOME: this.at('home'),
      TMPDIR: this.at('tmp'),
      XDG_CONFIG_HOME: this.at('home', 'config'),
      XDG_DATA_HOME: this.at('home', 'data'),
      XDG_STATE_HOME: this.at('home', 'state'),
      XDG_CACHE_HOME: this.at('home', 'cache'),
      KEBAB_WORKSPACE_ROOT: this.at('notes'),
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      NO_COLOR: '1',
      ...env,
    };
  }

  at(...names) {
    return path.join(this.folder, ...names);
  }

  write(name, content) {
    mkdirSync(path.dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), content);
    return this.at(name);
  }

  /** The same user with other variables; undefined variables are removed. */
  with(env) {
    const other = Object.create(this);
    other.env = { ...this.env, ...env };
    return other;
  }

  /** Starts the program, for interactive use. */
  start(args, { cwd = this.at('work') } = {}) {
    return spawn(process.execPath, [this.cli, ...args], { cwd, env: this.env, stdio: 'pipe' });
  }

  /** Runs the program to its end. */
  run(args, { stdin = '', cwd } = {}) {
    const child = this.start(args, { cwd });
    const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
    child.stdin.on('error', () => undefined); // a program that rejects its arguments does not read its input
    child.stdin.end(stdin);
    const limit = setTimeout(() => child.kill('SIGKILL'), CALL_LIMIT_MS);
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        clearTimeout(limit);
        resolve({ exit: code ?? signal, stdout: stdout(), stderr: stderr() });
      });
    });
  }
}

function collected(stream) {
  const parts = [];
  stream.on('data', (part) => parts.push(part));
  return () => Buffer.concat(parts).toString('utf8');
}
