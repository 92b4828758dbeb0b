import path from 'node:path';
import process from 'node:process';
import { createInterface, type Interface } from 'node:readline';
import { parseArgs } from 'node:util';
import { generatePlugin } from './generate-plugin.ts';
import { NameError, TEMPLATE_KINDS, type TemplateKind } from './templates.ts';

const USAGE = `npm create kebab-plugin [NAME] [-- --kind KIND]

Writes a kebab plugin that works into a folder of its own. What is not given is asked for.

  NAME         epub, kebab-plugin-epub or @acme/kebab-plugin-epub
  --kind KIND  ${TEMPLATE_KINDS.join(', ')}
  --help       shows this
`;

/** Runs `npm create kebab-plugin` and returns the exit code: 0, or 2 when nothing was written. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { kind: { type: 'string' }, help: { type: 'boolean' } },
    });
    if (values.help === true) {
      process.stdout.write(USAGE);
      return 0;
    }
    const { name, kind } = await wantedOf(positionals[0], values.kind);
    const { folder, created } = generatePlugin({ name, kind, parent: process.cwd() });
    for (const file of created) process.stdout.write(`${file}\n`);
    const there = path.relative(process.cwd(), folder);
    process.stdout.write(`\nWritten. Next:\n\n  cd ${there}\n  npm install\n  npm test\n`);
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`error: ${message}\n${error instanceof NameError ? '' : '  hint: see --help\n'}`);
    return 2;
  }
}

async function wantedOf(
  name: string | undefined,
  kind: string | undefined,
): Promise<{ readonly name: string; readonly kind: TemplateKind }> {
  if (name !== undefined && kind !== undefined) return { name, kind: kindOf(kind) };
  const questions = new Questions(process.stdin, process.stderr);
  try {
    const given = name ?? (await questions.ask('name of the plugin'));
    return { name: given, kind: kindOf(kind ?? (await questions.ask('kind', TEMPLATE_KINDS))) };
  } finally {
    questions.close();
  }
}

function kindOf(typed: string): TemplateKind {
  const kind = TEMPLATE_KINDS.find((one) => one === typed.trim().replaceAll(/[ -]/g, '_'));
  if (kind === undefined)
    throw new Error(`"${typed}" is not a kind of plugin; the kinds are ${TEMPLATE_KINDS.join(', ')}`);
  return kind;
}

/** Prompts the user for lines, one at a time. */
class Questions {
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;
  readonly #output: NodeJS.WritableStream;

  /** Writes questions to `output` and reads answers as lines of `input`, which need not be a terminal. */
  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
    this.#lines = createInterface({ input });
    this.#answers = this.#lines[Symbol.asyncIterator]();
    this.#output = output;
  }

  /** Asks one question and returns the answer. Throws when there is no terminal to answer in. */
  async ask(what: string, choices: readonly string[] = []): Promise<string> {
    this.#output.write(`${what}${choices.length === 0 ? '' : ` (${choices.join(', ')})`}: `);
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error(`no ${what} was given`);
    return value;
  }

  close(): void {
    this.#lines.close();
  }
}
