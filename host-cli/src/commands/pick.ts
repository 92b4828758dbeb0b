import { spawn } from 'node:child_process';
import { platform } from 'node:process';
import { isCancel, Prompt } from '@clack/core';
import {
  invalidInput,
  printable,
  type App,
  type SearchHit,
  type SearchResponse,
  type ShownPassage,
} from '@kebab/core/app';
import { citedUri } from '../screen/shown-values.ts';
import type { CommandContext } from '../command/command-context.ts';
import { launchPlan, launchProgram } from '../io/launch.ts';
import { createColors, type Colors } from '../screen/colors.ts';
import { markedRows } from '../screen/marked-text.ts';
import { fitStart } from '../screen/text-width.ts';

/** Lines around a passage in the preview. */
const AROUND = 3;
const ALTERNATE_SCREEN = { enter: '\u001B[?1049h\u001B[H', leave: '\u001B[?1049l' };

/** Throws `invalid_input` where there is no terminal to choose on. */
export function requirePicker({ io, json }: CommandContext): void {
  if (!json && io.stdin.isTerminal && io.stdout.isTerminal) return;
  throw invalidInput('--pick needs a terminal', {
    field: '--pick',
    hint: "elsewhere print the hits for another program: --format '{uri}', --vimgrep or --json",
  });
}

/**
 * Lets the user choose a hit on the terminal: Enter opens it in the editor, `y` copies its citation, Esc changes nothing. The terminal shows
 * afterwards what it showed before.
 */
export async function pickHit(
  { hits }: SearchResponse,
  context: CommandContext,
  { app, query }: { readonly app: App; readonly query: string },
): Promise<void> {
  const { signal } = context;
  const chunkIds = hits.map((hit) => hit.chunk_id);
  const shown = await app.showPassages({ query, chunkIds, context: AROUND }, { signal });
  const passages = new Map(shown.map((passage) => [passage.chunkId, passage]));
  // A prompt writes to the terminal itself: styles of a screen are for the printer.
  const colors = createColors(context.screen().colors.bold('x') !== 'x');
  const { stdout } = process;
  const state = { at: 0, note: '' };
  const frame = (): string => {
    const size = { columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 };
    return pickFrame(hits, { ...state, ...size, passageOf: (hit) => passages.get(hit.chunk_id), colors }).join('\n');
  };
  const prompt = new Prompt<number>({ render: frame, signal, input: process.stdin, output: stdout }, false);
  prompt.on('cursor', (key) => {
    const step = key === 'down' ? 1 : key === 'up' ? -1 : 0;
    state.at = Math.min(hits.length - 1, Math.max(0, state.at + step));
    state.note = '';
  });
  prompt.on('key', (key) => {
    const hit = hits[state.at];
    if (key !== 'y' || hit === undefined) return;
    copy(citedUri(hit.citation), context);
    state.note = `copied ${citedUri(hit.citation)}`;
  });
  prompt.on('finalize', () => (prompt.value = state.at));
  stdout.write(ALTERNATE_SCREEN.enter);
  const chosen = await prompt.prompt().finally(() => stdout.write(ALTERNATE_SCREEN.leave));
  const hit = isCancel(chosen) || chosen === undefined ? undefined : hits[chosen];
  if (hit === undefined) return;
  const place = await app.locate({ kind: 'uri', uri: hit.citation.uri }, { signal });
  const plan = launchPlan(place, { platform, variable: (name) => context.variable(name) });
  await launchProgram(plan, place.path, { hasTerminal: true });
}

/** What is chosen from, and the size of the terminal. */
interface PickView {
  readonly at: number;
  readonly note: string;
  readonly columns: number;
  readonly rows: number;
  readonly passageOf: (hit: SearchHit) => ShownPassage | undefined;
  readonly colors: Pick<Colors, 'bold' | 'dim' | 'red'>;
}

/** The lines of the list and the preview: fewer than the terminal has, and narrower, so that nothing scrolls or wraps. */
export function pickFrame(
  hits: readonly SearchHit[],
  { at, note, columns, rows, passageOf, colors }: PickView,
): readonly string[] {
  const width = Math.max(10, columns - 1);
  const room = Math.max(2, rows - 3);
  const listed = Math.min(hits.length, Math.max(1, Math.floor(room / 3)));
  const from = Math.min(Math.max(0, at - Math.floor(listed / 2)), hits.length - listed);
  const list = hits.slice(from, from + listed).map((hit, index) => {
    const name = `${hit.rank}. ${citedUri(hit.citation)}  ${hit.section_label ?? ''}`;
    const line = fitStart(printable(name), width - 2);
    return from + index === at ? colors.bold(`> ${line}`) : `  ${line}`;
  });
  const hit = hits[at];
  const lines = hit === undefined ? [] : (passageOf(hit)?.lines ?? []);
  const mark = (text: string): string => colors.bold(colors.red(text));
  const best = lines.findIndex(({ isInside, matches }) => isInside && matches.length > 0);
  const preview = lines.slice(Math.max(0, best - AROUND)).flatMap((line) => {
    const layout = { columns: width - 2, maxRows: line.isInside ? room - listed : 1, mark };
    return markedRows(line, layout).map((text) => `  ${line.isInside ? text : colors.dim(text)}`);
  });
  const keys = note === '' ? 'Enter opens, y copies the citation, Esc leaves' : note;
  const rule = colors.dim('─'.repeat(width));
  return [...list, rule, ...preview.slice(0, room - listed), colors.dim(fitStart(printable(keys), width))];
}

/** Copies a text through the terminal, which works over ssh as well, and through the program of the desktop if there is one. */
function copy(text: string, context: CommandContext): void {
  process.stdout.write(`\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  const [command, ...args] = clipboardProgram((name) => context.variable(name));
  if (command === undefined) return;
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => {}); // the terminal has it
  child.stdin?.on('error', () => {});
  child.stdin?.end(text);
}

function clipboardProgram(variable: (name: string) => string | undefined): readonly string[] {
  if (platform === 'darwin') return ['pbcopy'];
  if (platform === 'win32') return ['clip'];
  if (variable('WAYLAND_DISPLAY') !== undefined) return ['wl-copy'];
  return variable('DISPLAY') === undefined ? [] : ['xclip', '-selection', 'clipboard'];
}
