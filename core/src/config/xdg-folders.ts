import path from 'node:path';

/** kebab's folders under the XDG base directories; absolute. */
export interface XdgFolders {
  /** `~/.config/kebab`: config.toml. */
  readonly config: string;
  /** `~/.local/share/kebab`: where the data is unless `storage.data_dir` says otherwise. */
  readonly data: string;
  /** `~/.cache/kebab`: what can be made again. */
  readonly cache: string;
  /** `~/.local/state/kebab`: logs, trust.json. */
  readonly state: string;
}

/** Finds kebab's folders. A variable that is unset, empty or relative counts as unset, as XDG demands. */
export function xdgFolders(env: Readonly<Record<string, string | undefined>>, homeDir: string): XdgFolders {
  const folder = (variable: string, fallback: string): string =>
    path.join(xdgValue(env, variable) ?? path.join(homeDir, fallback), 'kebab');
  return {
    config: folder('XDG_CONFIG_HOME', '.config'),
    data: folder('XDG_DATA_HOME', '.local/share'),
    cache: folder('XDG_CACHE_HOME', '.cache'),
    state: folder('XDG_STATE_HOME', '.local/state'),
  };
}

/** The value of an XDG variable, or undefined where XDG says that it does not count. */
export function xdgValue(env: Readonly<Record<string, string | undefined>>, variable: string): string | undefined {
  const value = env[variable];
  return value !== undefined && path.isAbsolute(value) ? value : undefined;
}
