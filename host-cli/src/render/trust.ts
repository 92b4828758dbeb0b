import type { TrustReport } from '@kebab/core/app';
import { homePath } from './home-path.ts';
import { ENFORCEMENT, permissionLines } from './permissions.ts';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';
import { wrapWords } from './wrap-words.ts';

type TrustedFile = TrustReport['entries'][number];
type Setting = NonNullable<TrustedFile['asks']>[number];
type EnabledPlugin = NonNullable<TrustedFile['plugins']>[number];

const STATE_COLUMNS = 9;
const SHOWN_DIGITS = 12;
const TEXT_COLUMNS = 100;

/**
 * Project files, a line each: whether it is trusted as it is now, and the beginning of its hash. Below it what it sets that takes
 * trust, and the plugins that it enables with what they declare; at the end how far they are held to it.
 */
export function renderTrust({ entries }: TrustReport, screen: Screen): string {
  if (entries.length === 0) return 'no trusted files\n';
  const lines = entries.flatMap((entry) => [
    renderFile(entry, screen),
    ...(entry.asks ?? []).map(renderSetting),
    ...(entry.plugins ?? []).flatMap(renderPlugin),
  ]);
  const note = entries.some(({ plugins = [] }) => plugins.length > 0) ? ['', ...enforcement(screen)] : [];
  return [...lines, ...note].map((line) => `${line}\n`).join('');
}

function renderFile({ path, hash, trusted }: TrustedFile, { colors, homeDir }: Screen): string {
  const state = (trusted ? 'trusted' : 'untrusted').padEnd(STATE_COLUMNS);
  const shown = `${homePath(path, homeDir)}  ${colors.dim(hash.slice(0, SHOWN_DIGITS))}`;
  return `${(trusted ? colors.green : colors.yellow)(state)}  ${shown}`;
}

/** Plugins stand below the settings, each with what it declares. */
function renderSetting({ key, value, remote }: Setting): string {
  const ending = remote ? '  (leads away from this machine)' : '';
  return printable(`  sets ${key} = ${JSON.stringify(value)}${ending}`);
}

function renderPlugin({ name, version, kinds, permissions, reason }: EnabledPlugin): readonly string[] {
  const title = [
    name,
    ...(version === null ? [] : [version]),
    ...(kinds.length === 0 ? [] : [`(${kinds.join(', ')})`]),
  ];
  const told =
    permissions === null ? [`touches   unknown: ${reason ?? 'it declares nothing'}`] : permissionLines(permissions);
  return [`  enables ${printable(title.join(' '))}`, ...told.map((line) => `    ${printable(line)}`)];
}

function enforcement({ columns }: Screen): readonly string[] {
  return ENFORCEMENT.flatMap((sentence) => wrapWords(sentence, Math.min(columns ?? TEXT_COLUMNS, TEXT_COLUMNS)));
}
