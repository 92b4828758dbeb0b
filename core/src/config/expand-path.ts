import path from 'node:path';
import type { GitFiles } from '../schema/kind-settings.ts';

/** The values that path placeholders expand to. */
export interface PathScope {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  /** The folder a relative path is relative to; absolute. */
  readonly base: string;
  /** The expansion of `{data_dir}`; null while the data directory itself is being resolved. */
  readonly dataDir: string | null;
}

/** An absolute path, or the reason why there is none. */
export type ExpandedPath =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'problem'; readonly cause: string };

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^{}]*))?\}|\$HOME(?![A-Za-z0-9_])/g;
const DATA_DIR = '{data_dir}';
const USABLE = /^(HOME|XDG_[A-Z0-9_]+|KEBAB_[A-Z0-9_]+)$/;

/**
 * Expands a path, the only function that does: `${VAR}` and `${VAR:-default}` for HOME, XDG_* and KEBAB_* (an empty value counts as unset),
 * `$HOME`, `{data_dir}`, a leading `~`; the result is made absolute. A variable that is not allowed, or has neither value nor default, is
 * an error: leaving it out would yield a path to another folder.
 */
export function expandPath(text: string, scope: PathScope): ExpandedPath {
  const cause = problemWith(text, scope);
  if (cause !== undefined) return { kind: 'problem', cause };
  const substituted = withVariables(text, scope).replaceAll(DATA_DIR, () => scope.dataDir ?? DATA_DIR);
  const fromHome = substituted === '~' || substituted.startsWith('~/');
  const rooted = fromHome ? path.join(scope.homeDir, substituted.slice(1)) : substituted;
  return { kind: 'path', path: path.resolve(scope.base, rooted) };
}

/** Whether a configured name is a path, rather than a package name or a URL. */
export function isWrittenPath(text: string): boolean {
  return /^(?:[.~/$]|\{data_dir\})/.test(text);
}

/** A configured name, with its path expanded if it is one that can be. */
export function expandedName(name: string, scope: PathScope): string {
  const expanded = isWrittenPath(name) ? expandPath(name, scope) : null;
  return expanded?.kind === 'path' ? expanded.path : name;
}

/** The `KEBAB_*` variables that a configured path refers to; they count as known, whatever their names. */
export function kebabVariablesIn(text: string): readonly string[] {
  return [...text.matchAll(VARIABLE)].flatMap(([, name]) => (name?.startsWith('KEBAB_') === true ? [name] : []));
}

function withVariables(text: string, scope: PathScope): string {
  if (!text.includes('$')) return text;
  return text.replace(
    VARIABLE,
    (_match, name = 'HOME', fallback = '') => valueOf(String(name), scope) ?? String(fallback),
  );
}

function problemWith(text: string, scope: PathScope): string | undefined {
  if (text.includes(DATA_DIR) && scope.dataDir === null) return 'cannot be given in terms of {data_dir}';
  if (!text.includes('$')) return undefined;
  for (const [, name = 'HOME', fallback] of text.matchAll(VARIABLE)) {
    if (!USABLE.test(name)) return `uses \${${name}}; only HOME, XDG_* and KEBAB_* may be used`;
    if (valueOf(name, scope) === undefined && fallback === undefined) return `uses \${${name}}, which is not set`;
  }
  if (text.replace(VARIABLE, '').includes('${')) return 'holds a ${ that begins neither ${NAME} nor ${NAME:-default}';
  return undefined;
}

function valueOf(name: string, { env, homeDir }: PathScope): string | undefined {
  if (name === 'HOME') return homeDir;
  const value = name.startsWith('XDG_') ? xdgValue(env, name) : env[name];
  return value === '' ? undefined : value;
}

/** kebab's folders under the XDG base directories; absolute. */
export interface XdgFolders {
  /** `~/.config/kebab`: config.toml. */
  readonly config: string;
  /** `~/.local/share/kebab`: the data, unless `storage.data_dir` is set. */
  readonly data: string;
  /** `~/.cache/kebab`: data that can be recreated. */
  readonly cache: string;
  /** `~/.local/state/kebab`: logs, trust.json. */
  readonly state: string;
  /** The user's files of git, which belong to git. */
  readonly git: GitFiles;
}

/** Determines kebab's folders. A variable that is unset, empty or relative counts as unset, as XDG demands. */
export function xdgFolders(env: Readonly<Record<string, string | undefined>>, homeDir: string): XdgFolders {
  const folder = (variable: string, fallback: string): string =>
    path.join(xdgValue(env, variable) ?? path.join(homeDir, fallback), 'kebab');
  return {
    config: folder('XDG_CONFIG_HOME', '.config'),
    data: folder('XDG_DATA_HOME', '.local/share'),
    cache: folder('XDG_CACHE_HOME', '.cache'),
    state: folder('XDG_STATE_HOME', '.local/state'),
    git: gitFiles(env, homeDir),
  };
}

/** Where git looks for the user's configuration. */
function gitFiles(env: Readonly<Record<string, string | undefined>>, home: string): GitFiles {
  const folder = path.join(xdgValue(env, 'XDG_CONFIG_HOME') ?? path.join(home, '.config'), 'git');
  const named = env['GIT_CONFIG_GLOBAL'];
  const configs = named === undefined ? [path.join(folder, 'config'), path.join(home, '.gitconfig')] : [named];
  return { home, configs: configs.filter((file) => path.isAbsolute(file)), ignore: path.join(folder, 'ignore') };
}

/** kebab's own folder for the plugins and parts that it installs. */
export function pluginFolderIn({ data }: Pick<XdgFolders, 'data'>): string {
  return path.join(data, 'plugins');
}

/** The value of an XDG variable, or undefined where XDG says to ignore it. */
export function xdgValue(env: Readonly<Record<string, string | undefined>>, variable: string): string | undefined {
  const value = env[variable];
  return value !== undefined && path.isAbsolute(value) ? value : undefined;
}
