import { formatSourcePath } from '../domain/uri.ts';
import type { CommitResult, Outline, SymbolResult } from './index.ts';

/** A result of a symbol look-up as plain text: a line for each unit, and below it `path:line:text`. */
export function symbolLines({ name, find, units, total, next_cursor: cursor, hint }: SymbolResult): readonly string[] {
  const noun = find === 'definition' ? 'definition' : 'reference';
  return [
    `${total} ${noun}${total === 1 ? '' : 's'} of ${name}`,
    ...units.flatMap(({ doc_path: path, source_id: sourceId, symbol, line_start, line_end, lines }) => {
      const place = formatSourcePath({ sourceId, path });
      const defined = lines.filter(({ defines }) => defines).map(({ line }) => line);
      const mark = defined.length === 0 || find === 'definition' ? '' : `, defined on ${defined.join(', ')}`;
      const head =
        symbol === null ? '(top level)' : `${withoutModule(symbol, path)} (${line_start}-${line_end}${mark})`;
      return [head, ...lines.map(({ line, text }) => `${place}:${line}:${text}`)];
    }),
    ...(cursor === null ? [] : [`next_cursor: ${cursor}`]),
    ...(hint === undefined ? [] : [hint]),
  ];
}

/** A symbol without the module that the path of its file names anyway: `Backoff.next` of `src/retry.Backoff.next` in `src/retry.ts`. */
function withoutModule(symbol: string, path: string): string {
  const isFolder = /\.(?:go|java|kts?)$/.test(path); // in these languages a folder is a module, and its files are none
  const module = path.replace(isFolder ? /\/[^/]*$/ : /\.[^./]*$/, '').split(/[./]/);
  for (let from = 0; from < module.length; from++) {
    const names = module.slice(from).map((name) => name.replaceAll(/[^\p{L}\p{N}_]/gu, String.raw`\$&`));
    const [head] = new RegExp(`^${names.join('(?:[./]|::)')}(?:[./]|::)(?=.)`).exec(symbol) ?? [];
    if (head !== undefined) return symbol.slice(head.length);
  }
  return symbol;
}

const COMMIT_DIGITS = 12;
const DAY = 'YYYY-MM-DD'.length;

/** Commits as plain text: a line for each, and below it `path:line:` with what was added or removed there. */
export function commitLines({ commits, searched, is_partial: isPartial }: CommitResult): readonly string[] {
  const count = searched.reduce((sum, one) => sum + one.commits, 0);
  const said = `${commits.length} ${commits.length === 1 ? 'commit' : 'commits'} of ${count} searched${isPartial === true ? ', as far as time allowed' : ''}`;
  const shallow = searched.flatMap(({ source_id: sourceId, is_shallow: isShallow }) => (isShallow ? [sourceId] : []));
  return [
    said,
    ...shallow.map((sourceId) => `${sourceId} is a shallow clone: older commits are not there to search`),
    ...commits.flatMap(({ source_id: sourceId, commit, author, date, subject, message_line, lines, more_lines }) => [
      `${commit.slice(0, COMMIT_DIGITS)} ${date.slice(0, DAY)} ${author}: ${subject}`,
      ...(message_line === undefined ? [] : [`  ${message_line}`]),
      ...lines.map(
        ({ path, line, side, text }) =>
          `  ${formatSourcePath({ sourceId, path })}:${line}:${side === 'added' ? '+' : '-'}${text}`,
      ),
      ...(more_lines === undefined ? [] : [`  (+${more_lines} more lines)`]),
    ]),
  ];
}

/** An outline as plain text: the path of each file, and below it `12-30 class Backoff` for each unit, indented by depth. */
export function outlineLines({ files, next_cursor: cursor }: Outline): readonly string[] {
  return [
    ...files.flatMap(({ doc_path: path, source_id: sourceId, total_lines: total, units }) => [
      `${formatSourcePath({ sourceId, path })} (${total} ${total === 1 ? 'line' : 'lines'})`,
      ...units.map(({ depth, line_start, line_end, place, text }) => {
        const at = place ?? (line_start === line_end ? `${line_start}` : `${line_start}-${line_end}`);
        return `${'  '.repeat(depth)}${at} ${text}`;
      }),
    ]),
    ...(cursor === null ? [] : [`next_cursor: ${cursor}`]),
  ];
}
