import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { invalidInput, nearestName } from '@kebab/core/app';

/** A place in a file that a link points to. */
export interface LinkTarget {
  /** Absolute. */
  readonly file: string;
  readonly line: number | null;
  readonly page: number | null;
}

/** Creates the address of a place; null if links are off. */
export type Hyperlinks = ((target: LinkTarget) => string) | null;

type Variable = (name: string) => string | undefined;

/** Address templates by format, with `{path}` (encoded, from `/`), `{line}` and `{column}`. */
const FORMATS: Readonly<Record<string, string>> = {
  file: 'file://{path}',
  vscode: 'vscode://file{path}:{line}:{column}',
  'vscode-insiders': 'vscode-insiders://file{path}:{line}:{column}',
  vscodium: 'vscodium://file{path}:{line}:{column}',
  cursor: 'cursor://file{path}:{line}:{column}',
  windsurf: 'windsurf://file{path}:{line}:{column}',
  zed: 'zed://file{path}:{line}:{column}',
  sublime: 'subl://open?url=file://{path}&line={line}&column={column}',
  textmate: 'txmt://open?url=file://{path}&line={line}&column={column}',
  macvim: 'mvim://open?url=file://{path}&line={line}&column={column}',
  idea: 'idea://open?file={path}&line={line}&column={column}',
  kitty: 'file://{path}#{line}',
};

/** Formats by the program name of an editor. */
const OF_EDITOR: Readonly<Record<string, string>> = {
  code: 'vscode',
  'code-insiders': 'vscode-insiders',
  codium: 'vscodium',
  cursor: 'cursor',
  windsurf: 'windsurf',
  zed: 'zed',
  subl: 'sublime',
  mate: 'textmate',
  mvim: 'macvim',
  idea: 'idea',
};

/**
 * The links for `--hyperlink-format`: the name of a format, a template, `none`, or `auto`, which is the format of `$VISUAL` or `$EDITOR`,
 * otherwise `file:`, in terminals that are known to support links. Throws `invalid_input`.
 */
export function hyperlinksOf(value: string | undefined, variable: Variable): Hyperlinks {
  if (value === 'none') return null;
  if (value === undefined || value === 'auto') return knowsLinks(variable) ? filled(formatOfEditor(variable)) : null;
  const format = FORMATS[value] ?? (value.includes('{path}') ? value : undefined);
  if (format !== undefined && /^[!-~]+$/.test(format)) return filled(format);
  const allowed = ['auto', 'none', ...Object.keys(FORMATS)];
  throw invalidInput(`--hyperlink-format takes a template with {path}, or ${allowed.join(', ')}`, {
    field: '--hyperlink-format',
    value: value,
    allowed,
    suggestion: nearestName(value, allowed),
  });
}

function formatOfEditor(variable: Variable): string {
  const [program = ''] = (variable('VISUAL') ?? variable('EDITOR') ?? '').trim().split(/\s+/);
  const name = OF_EDITOR[path.basename(program).replace(/\.(?:exe|cmd)$/i, '')] ?? 'file';
  return FORMATS[name] ?? '';
}

/** Whether the terminal supports links: others show nothing, or the address as text. */
function knowsLinks(variable: Variable): boolean {
  const has = (name: string): boolean => (variable(name) ?? '') !== '';
  if (/^(?:dumb|linux)$/.test(variable('TERM') ?? '')) return false;
  if (/^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper|Tabby|rio|zed)$/.test(variable('TERM_PROGRAM') ?? '')) return true;
  if (/kitty|alacritty|foot|ghostty|wezterm/.test(variable('TERM') ?? '')) return true;
  return (
    ['KITTY_WINDOW_ID', 'WT_SESSION', 'KONSOLE_VERSION', 'DOMTERM', 'FORCE_HYPERLINK'].some(has) || isNewVte(variable)
  );
}

/** GNOME's terminals support links since VTE 0.50. */
function isNewVte(variable: Variable): boolean {
  return Number(variable('VTE_VERSION') ?? 0) >= 5000;
}

function filled(format: string): Hyperlinks {
  return ({ file, line, page }) => {
    const encoded = pathToFileURL(file).pathname;
    const url = format
      .replaceAll('{path}', encoded)
      .replaceAll('{line}', String(line ?? 1))
      .replaceAll('{column}', '1');
    return page === null || !format.startsWith('file:') ? url : `${url.replace(/#.*$/, '')}#page=${page}`;
  };
}
