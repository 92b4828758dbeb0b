/** What an `init` finds. All paths are absolute. */
export interface InitScene {
  readonly configFile: string;
  /** Folders that kebab needs, in the order of the report. */
  readonly folders: readonly string[];
  /** Those of the paths that are there already. */
  readonly present: ReadonlySet<string>;
  /** Whether a configuration that is there is written anew. */
  readonly force: boolean;
}

/** One thing an `init` does, or leaves as it is. */
export type InitStep =
  | { readonly kind: 'write_config'; readonly path: string; readonly backup: string | null }
  | { readonly kind: 'make_folder'; readonly path: string }
  | { readonly kind: 'keep'; readonly path: string; readonly isFolder: boolean };

/** Decides what an `init` makes: what is missing, and with `force` the configuration, whose old text is set aside. */
export function planInit({ configFile, folders, present, force }: InitScene): readonly InitStep[] {
  const hasConfig = present.has(configFile);
  const config: InitStep =
    hasConfig && !force
      ? { kind: 'keep', path: configFile, isFolder: false }
      : { kind: 'write_config', path: configFile, backup: hasConfig ? `${configFile}.bak` : null };
  const rest = [...new Set(folders)].map((path): InitStep =>
    present.has(path) ? { kind: 'keep', path, isFolder: true } : { kind: 'make_folder', path },
  );
  return [config, ...rest];
}
