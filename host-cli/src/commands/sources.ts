import {
  invalidInput,
  isKebabError,
  REPOSITORY_URL,
  printable,
  type App,
  type SourceAdded,
  type SourceList,
  type SourceRemoved,
  type InitReport,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { unreadFormats } from '../command/own-formats.ts';
import { confirm } from '../command/confirm.ts';
import { reporting } from '../command/reporting.ts';
import { homePath, counted } from '../screen/shown-values.ts';
import type { Screen } from '../screen/screen.ts';
import { alignColumns } from '../screen/text-width.ts';

const VERB_COLUMNS = 9;
const MINUTES = 'YYYY-MM-DD hh:mm'.length;

/** `kebab add`: adds a folder, or a clone of a repository, as a source. */
export async function add(context: CommandContext): Promise<void> {
  const { values, signal, json } = context;
  const path = values.arg('PATH');
  const app = await context.openApp({ makesConfig: true });
  if (REPOSITORY_URL.test(path)) context.note(`cloning ${printable(path)}`);
  const added = await app.addSource({ path, name: values.text('name') }, { signal });
  const formats = json ? null : await unreadFormats(app, added.holds.unread_by_extension);
  context.show(added, (shown, screen) => renderAdded(shown, screen, formats));
}

/** `kebab remove`: asks, and removes a source from the configuration and the index. */
export async function remove(context: CommandContext): Promise<void> {
  const name = context.values.arg('NAME');
  const app = await context.openApp();
  const source = (await app.listSources()).sources.find(({ id }) => id === name);
  const isThere = source !== undefined || (await hasDocuments(app, name));
  const question = async (): Promise<string> => {
    const { homeDir } = context.screen();
    const what =
      source === undefined ? '' : ` (${homePath(source.root, homeDir)}, ${counted(source.documents, 'document')})`;
    const files = source?.git === undefined ? 'Its files stay' : `The clone of ${source.git} is deleted`;
    return printable(`Remove the source ${name}${what} from the index? ${files}.`);
  };
  // For an unknown source there is no question: removing it fails with a list of the sources.
  if (isThere && !(await confirm(`remove ${name}`, question, context))) {
    context.note('nothing was removed');
    return;
  }
  context.show(await app.removeSource(name, { signal: context.signal }), renderRemoved);
}

/** Whether the index still has documents of a source that is no longer configured. */
async function hasDocuments(app: App, name: string): Promise<boolean> {
  try {
    return (await app.schema()).stats.source_breakdown[name] !== undefined;
  } catch (error) {
    if (isKebabError(error, 'not_indexed')) return false;
    throw error;
  }
}

/** `kebab list sources`: every source with its folder, number of documents, and state. */
export const listSources = reporting((app) => app.listSources(), renderSources);

function line(verb: string, text: string): string {
  return `${verb.padEnd(VERB_COLUMNS)}${printable(text)}\n`;
}

function renderAdded(
  { id, root, git, file, holds, hint }: SourceAdded,
  { homeDir }: Screen,
  formats: string | null,
): string {
  return [
    line('added', `${id}  ${homePath(root, homeDir)}  (${homePath(file, homeDir)})`),
    ...(git === undefined ? [] : [line('cloned', git)]),
    line('holds', holdingsText(holds)),
    ...(formats === null ? [] : [line('hint', formats)]),
    line('next', hint),
  ].join('');
}

/** The names of media, for use with a count. */
const NAMES: Readonly<Record<string, string>> = {
  markdown: 'Markdown',
  text: 'text',
  pdf: 'PDF',
  audio: 'audio',
  code: 'code',
  other: 'of other kinds',
};

/** The number of files by kind, and of those of kinds that are not read. */
function holdingsText({ files, unread = 0, is_complete: isComplete }: SourceAdded['holds']): string {
  const kinds = Object.entries(files).flatMap(([kind, count]) => (count === undefined ? [] : [{ kind, count }]));
  const total = kinds.reduce((sum, { count }) => sum + count, 0);
  const named = kinds.map(({ kind, count }) =>
    kind === 'image' ? counted(count, 'picture') : `${count} ${NAMES[kind] ?? kind}`,
  );
  const others = unread === 0 ? '' : `; ${counted(unread, 'file')} of kinds that are not read`;
  const more = isComplete ? '' : ', and more: the folder is too large to look through at once';
  return `${counted(total, 'file')}${named.length === 0 ? '' : `: ${named.join(', ')}`}${others}${more}`;
}

function renderRemoved(
  { id, root, clone_removed: hadClone, file, documents, vectors_left: left, hint }: SourceRemoved,
  { homeDir }: Screen,
): string {
  const files = hadClone === true ? 'the clone' : 'the files';
  const place =
    root === null ? '' : `; ${files} in ${homePath(root, homeDir)} ${hadClone === true ? 'is deleted' : 'stay'}`;
  return [
    line('removed', `${id}  ${counted(documents, 'document')}${place}`),
    ...(file === null ? [] : [line('changed', homePath(file, homeDir))]),
    ...(left === 0 ? [] : [line('left', `${counted(left, 'vector')}, which the next ingest removes`)]),
    ...(hint === null ? [] : [line('hint', hint)]),
  ].join('');
}

const STATES: Readonly<Record<SourceList['sources'][number]['state'], string>> = {
  ready: 'ready',
  not_ingested: 'not ingested yet',
  missing: 'folder is missing or cannot be read',
  moved: 'indexed from another folder than configured',
  not_configured: 'no longer configured',
};

/** One source per line: name, documents, last ingest, folder, and problems. */
function renderSources({ sources }: SourceList, { colors, homeDir }: Screen): string {
  const isEmpty = sources.every(({ state, documents }) => state === 'missing' && documents === 0);
  const rows = sources.map(({ id, documents, last_ingest_at: last, root, git }) => [
    printable(id),
    counted(documents, 'document'),
    last === null ? '-' : new Date(last).toLocaleString('sv-SE').slice(0, MINUTES), // local time in ISO 8601 format
    printable(git ?? homePath(root, homeDir)),
  ]);
  return alignColumns(rows)
    .map(([name = '', count = '', last = '', root = ''], index) => {
      const state = sources[index]?.state ?? 'ready';
      const shown = state === 'ready' ? '' : `  ${colors.magenta(STATES[state])}`;
      return `${colors.bold(name)}  ${count}  ${colors.dim(last)}  ${shown === '' ? root.trimEnd() : root}${shown}\n`;
    })
    .concat(isEmpty ? ['hint     add a folder with `kebab add FOLDER`\n'] : [])
    .join('');
}

/** `kebab init`: writes a configuration file and creates the folders it names. */
export async function init(context: CommandContext): Promise<void> {
  const { values, signal } = context;
  const force = values.has('force');
  const place = values.has('user') ? 'user' : values.has('project') ? 'project' : undefined;
  if (values.has('user') && values.has('project'))
    throw invalidInput('init takes one of --user and --project', { field: '--project' });
  // The file to overwrite may be invalid.
  const app = await context.openApp({ despiteConfig: force, makesConfig: true });
  const report = await app.init({ force, place, signal });
  context.show(report, renderInit);
}

function renderInit(report: InitReport, { colors, homeDir }: Screen): string {
  const written = (verb: string, text: string, paint: (text: string) => string = String): string =>
    `${paint(verb.padEnd(VERB_COLUMNS))}${homePath(text, homeDir)}\n`;
  return [
    ...report.created.map((path) => written('created', path, colors.green)),
    ...report.kept.map((path) => written('kept', path)),
    written('opened', `${report.opened} (schema v${report.db_schema_version})`),
    written('hint', report.hint),
  ].join('');
}
