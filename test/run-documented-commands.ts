import { spawn } from 'node:child_process';

/** A block of commands in a page. */
export interface CommandBlock {
  /** Line of the fence, 1-based. */
  readonly line: number;
  readonly commands: readonly DocumentedCommand[];
  /** Why the block is not run; null when it is. */
  readonly skipped: string | null;
}

/** A command in a page, and its documented output. */
interface DocumentedCommand {
  readonly text: string;
  /** Null where the page shows no output. */
  readonly output: readonly string[] | null;
}

const FENCE = /^```(\w*)/;
const SKIP = /^<!-- not run: (.+) -->$/;

/**
 * The blocks of commands in a page of Markdown: `bash` and `sh` blocks are commands alone, a block whose first line begins with
 * `$ ` shows commands with what they print. `<!-- not run: why -->` on the line before a fence leaves a block out.
 */
export function commandBlocks(page: string): readonly CommandBlock[] {
  const lines = page.split('\n');
  const blocks: CommandBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    const fence = FENCE.exec(lines[at] ?? '');
    if (fence === null) continue;
    const end = lines.indexOf('```', at + 1);
    const body = lines.slice(at + 1, end);
    const before = lines.slice(0, at).findLast((line) => line.trim() !== '') ?? '';
    const skipped = SKIP.exec(before)?.[1] ?? null;
    if ((body[0] ?? '').startsWith('$ ')) blocks.push({ line: at + 1, commands: transcript(body), skipped });
    else if (fence[1] === 'bash' || fence[1] === 'sh')
      blocks.push({ line: at + 1, commands: commandsOf(body), skipped });
    at = end;
  }
  return blocks;
}

/** One command per line; a trailing backslash continues it. */
function commandsOf(lines: readonly string[]): readonly DocumentedCommand[] {
  const whole = lines.join('\n').split(/(?<!\\)\n/);
  return whole.filter((text) => !/^\s*(?:#|$)/.test(text)).map((text) => ({ text, output: null }));
}

function transcript(lines: readonly string[]): readonly DocumentedCommand[] {
  const commands: { text: string; output: string[] }[] = [];
  for (const line of lines) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ text: line.slice(2), output: [] });
    else if (line.startsWith('> ') && last?.output.length === 0) last.text += `\n${line.slice(2)}`;
    else last?.output.push(line);
  }
  return commands;
}

/** The result of a command. */
export interface CommandRun {
  readonly text: string;
  readonly code: number;
  /** Standard output and standard error, interleaved as written. */
  readonly output: string;
}

/** Runs commands one after another in one shell, like a reader of the page. */
export async function runCommands(
  commands: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<readonly CommandRun[]> {
  const mark = `--- ${crypto.randomUUID()} `;
  const script = commands.map((text) => `${text}\nprintf '\\n%s%s\\n' '${mark}' "$?"\n`).join('');
  const shell = spawn('bash', ['-c', `exec 2>&1\n${script}`], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
  let all = '';
  for await (const chunk of shell.stdout.setEncoding('utf8')) all += String(chunk);
  const parts = all.split(`\n${mark}`);
  return commands.map((text, at) => {
    const code = Number.parseInt(parts[at + 1] ?? 'NaN', 10);
    const output = (parts[at] ?? '').replace(at === 0 ? '' : /^\d+\n/, '');
    return { text, code, output };
  });
}

/** Where an output differs from what a page prints, or null: `…` stands for any text in a line, and for any lines by itself. */
export function differenceFrom(printed: readonly string[], output: string): string | null {
  const wanted = trimmed(printed);
  const got = trimmed(output.split('\n'));
  return matches(wanted, got) ? null : `printed:\n${wanted.join('\n')}\ngot:\n${got.join('\n')}`;
}

function trimmed(lines: readonly string[]): readonly string[] {
  const ends = lines.map((line) => line.trimEnd());
  const first = ends.findIndex((line) => line !== '');
  return first === -1 ? [] : ends.slice(first, ends.findLastIndex((line) => line !== '') + 1);
}

function matches(wanted: readonly string[], got: readonly string[]): boolean {
  const [line, ...rest] = wanted;
  if (line === undefined) return got.length === 0;
  if (line.trim() === '…')
    return Array.from({ length: got.length + 1 }, (_, skip) => got.slice(skip)).some((tail) => matches(rest, tail));
  return got[0] !== undefined && isLike(line, got[0]) && matches(rest, got.slice(1));
}

function isLike(wanted: string, got: string): boolean {
  const parts = wanted.split('…');
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (got.startsWith(part) ? 0 : -1) : got.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return parts.length > 1 ? parts.at(-1) === '' || got.endsWith(parts.at(-1) ?? '') : at === got.length;
}
