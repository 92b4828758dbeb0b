// Runs commands in a terminal and captures its screen, as text with colours or as a picture (SVG).
//   node scripts/record-terminal.mjs docs/search.svg      the picture of README: a search in examples/notes
// Needs tmux.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A shell in a new terminal, in a fresh home with kebab on the PATH and `examples/notes` as `~/notes`. */
export class Terminal {
  #home = mkdtempSync(path.join(tmpdir(), 'kebab-terminal-'));
  #name = `kebab-${process.pid}-${Date.now()}`;

  constructor({ columns = 80, rows = 24, env = {} } = {}) {
    const bin = path.join(this.#home, '.bin');
    mkdirSync(bin);
    cpSync(path.join(root, 'examples', 'notes'), path.join(this.#home, 'notes'), { recursive: true });
    const program = `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, 'host-cli/bin/kebab.cjs')}" "$@"\n`;
    writeFileSync(path.join(bin, 'kebab'), program);
    chmodSync(path.join(bin, 'kebab'), 0o755);
    const variables = {
      HOME: this.#home,
      PATH: `${bin}:${path.dirname(process.execPath)}:/usr/bin:/bin`,
      LANG: 'C.UTF-8',
      TERM: 'tmux-256color',
      PS1: '$ ',
      ...env,
    };
    const shell = ['env', '-i', ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)];
    this.#tmux(
      'new-session',
      '-d',
      '-s',
      this.#name,
      '-x',
      String(columns),
      '-y',
      String(rows),
      '-c',
      this.#home,
      ...shell,
      'bash',
      '--norc',
      '--noprofile',
    );
  }

  get home() {
    return this.#home;
  }

  /** Types a line, and waits for the next prompt. */
  async type(line, { timeoutMs = 60_000 } = {}) {
    this.#tmux('send-keys', '-t', this.#name, '-l', line);
    this.#tmux('send-keys', '-t', this.#name, 'Enter');
    for (let waited = 0; waited < timeoutMs; waited += 100) {
      await sleep(100);
      const last = this.screen({ colours: false }).trimEnd().split('\n').at(-1);
      if (waited >= 300 && last === '$') return;
    }
    throw new Error(`${line} did not end:\n${this.screen({ colours: false })}`);
  }

  /** Presses a key by its tmux name. */
  press(key) {
    this.#tmux('send-keys', '-t', this.#name, key);
  }

  /** The contents of the screen. */
  screen({ colours = true } = {}) {
    return this.#tmux('capture-pane', '-p', ...(colours ? ['-e'] : []), '-t', this.#name);
  }

  close() {
    this.#tmux('kill-session', '-t', this.#name);
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #tmux(...args) {
    return execFileSync('tmux', ['-L', this.#name, ...args], { encoding: 'utf8' });
  }
}

const ESCAPE = String.fromCharCode(27);
const STYLE = new RegExp(`(${ESCAPE}\\[[0-9;:]*m)`);
const LINK = new RegExp(`${ESCAPE}\\]8;[^${ESCAPE}]*${ESCAPE}\\\\`, 'g');
const CELL = { width: 8.4, height: 18 };
const COLOURS = ['#24292f', '#d1242f', '#1a7f37', '#9a6700', '#0969da', '#8250df', '#1b7c83', '#6e7781'];

/** Draws a screen with its colours as SVG. */
export function toSvg(screen) {
  // Links are drawn like other text.
  const lines = screen.replaceAll(LINK, '').trimEnd().split('\n');
  const columns = Math.max(...lines.map((line) => stripVTControlCharacters(line).length));
  const [width, height] = [Math.ceil(columns * CELL.width) + 32, lines.length * CELL.height + 32];
  const rows = lines.map(
    (line, at) => `<text x="16" y="${16 + (at + 1) * CELL.height - 5}" xml:space="preserve">${spans(line)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    '<style>text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #24292f; }</style>',
    `<rect width="${width}" height="${height}" rx="8" fill="#f6f8fa" stroke="#d0d7de"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

function spans(line) {
  let style = {};
  return line
    .split(STYLE)
    .map((part) => {
      if (!part.startsWith(`${ESCAPE}[`))
        return part === '' ? '' : `<tspan${attributesOf(style)}>${escaped(part)}</tspan>`;
      style = styleAfter(style, part.slice(2, -1));
      return '';
    })
    .join('');
}

function styleAfter(style, codes) {
  const next = { ...style };
  for (const code of codes.split(/[;:]/).map(Number)) {
    if (code === 0) for (const name of Object.keys(next)) delete next[name];
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 22) Object.assign(next, { bold: false, dim: false });
    else if (code === 39) next.colour = undefined;
    else if (code >= 30 && code <= 37) next.colour = COLOURS[code - 30];
    else if (code >= 90 && code <= 97) next.colour = COLOURS[code - 90];
  }
  return next;
}

function attributesOf({ bold, dim, colour }) {
  return [
    bold ? ' font-weight="bold"' : '',
    dim ? ' fill-opacity="0.6"' : '',
    colour === undefined ? '' : ` fill="${colour}"`,
  ].join('');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const terminal = new Terminal({ rows: 22, env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none', PAGER: 'cat' } });
  try {
    await terminal.type('kebab add ~/notes --json >/dev/null; kebab ingest --quiet; clear');
    await terminal.type('kebab search "how long does the dough ferment" -k 2');
    const screen = terminal.screen().replace(/\$\s*$/, '');
    writeFileSync(path.resolve(process.argv[2] ?? 'docs/search.svg'), toSvg(screen));
  } finally {
    terminal.close();
  }
}
