// Runs operations and records the answers. An answer is identified by its operation (by which `compare` groups), its form and its name. The
// form is `json` for output for programs, `human` for output for people, `help` for texts whose wording may change.
import { inFileOrder } from './volatile.mjs';

/** Maximum number of concurrent processes. */
const LANES = 2;

/** Records answers without their volatile parts. */
export class Recorder {
  #answers = new Map();
  #volatile;
  #free = LANES;
  #waiting = [];

  constructor(volatile) {
    this.#volatile = volatile;
  }

  /** Every answer, in a deterministic order. */
  get answers() {
    return [...this.#answers.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  /** Records an answer that does not come from the command line. */
  keep(operation, name, value, form = 'json') {
    const answer = { operation, form, name: this.#volatile.text(name), value: this.#volatile.value(value) };
    const key = keyOf(answer);
    if (this.#answers.has(key)) throw new Error(`there are two answers ${key}`);
    this.#answers.set(key, answer);
  }

  /**
   * Runs a command with --json and, with `human`, concurrently without; records exit code and both outputs. Returns the output of the
   * --json run, one value per line. With `inTurn` the second run waits for the first.
   */
  async cli(world, operation, args, { name = nameOf(args), stdin, cwd, human = false, inTurn = false } = {}) {
    const running = this.#run(world, withJson(args), { stdin, cwd });
    if (inTurn) await running;
    if (human) await this.human(world, operation, args, { name, stdin, cwd });
    const outcome = await running;
    const lines = valuesOf(outcome.stdout);
    const stderr = valuesOf(outcome.stderr);
    this.keep(operation, name, { exit: outcome.exit, stdout: inFileOrder(lines), stderr });
    return lines;
  }

  /** Runs a command for people, and records exit code and both outputs by lines. */
  async human(world, operation, args, { name = nameOf(args), stdin, cwd, form = 'human' } = {}) {
    const { exit, stdout, stderr } = await this.#run(world, args, { stdin, cwd });
    const lines = (text) => this.#volatile.human(text).split('\n');
    this.keep(operation, name, { exit, stdout: lines(stdout), stderr: lines(stderr) }, form);
  }

  async #run(world, args, options) {
    if (this.#free === 0) await new Promise((resolve) => this.#waiting.push(resolve));
    else this.#free--;
    try {
      return await world.run(args, options);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

function keyOf({ operation, form, name }) {
  return `${operation} [${form}] ${name}`;
}

/** Inserts the flag before `--`. */
function withJson(args) {
  const end = args.indexOf('--');
  return args.toSpliced(end < 0 ? args.length : end, 0, '--json');
}

function nameOf(args) {
  return args.map((arg) => (/^[\w./:=#@-]+$/.test(arg) ? arg : JSON.stringify(arg))).join(' ');
}

/** The lines of an output as values; lines that are not JSON stay strings. */
function valuesOf(output) {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        return JSON.parse(line);
      } catch {
        return line;
      }
    });
}
