import type { App } from '@kebab/core/app';

/** What the configuration and the surroundings say about serving. All paths are absolute. */
export interface Settings {
  /** Budget of a response when the caller names none, in output tokens. */
  readonly defaultMaxTokens: number;
  readonly sourceRoots: readonly string[];
  /** Folders that files may be ingested from besides source roots and the working directory. */
  readonly ingestRoots: readonly string[];
  readonly cwd: string;
  readonly databaseFile: string;
}

/** Reads the settings off the configuration in effect. */
export async function readSettings(app: App, cwd: string): Promise<Settings> {
  const { entries } = await app.configView();
  const value = (key: string): unknown => entries.find((entry) => entry.key === key)?.value;
  const sources = value('workspace.sources') as readonly { readonly root: string; readonly connector: string }[];
  return {
    defaultMaxTokens: value('mcp.default_max_tokens') as number,
    sourceRoots: [
      value('workspace.root') as string,
      ...sources.filter(({ connector }) => connector === 'fs').map(({ root }) => root),
    ],
    ingestRoots: value('mcp.ingest_roots') as readonly string[],
    cwd,
    databaseFile: value('storage.sqlite') as string,
  };
}
