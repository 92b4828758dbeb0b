import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BuiltinPlugin } from '@kebab/core/app';
import { openApp, type App, type OpenAppOptions } from '@kebab/core/app';
import { builtins } from '@kebab/builtins';
import { kebabSurface, type AnswerView } from '../../src/kebab-surface.ts';
import { LiveApp } from '../../src/live-app.ts';
import { Connection, type ReceivedNotification } from './connection.ts';

const NOTES: Readonly<Record<string, string>> = {
  'tea.md':
    '# Tea\n\nGreen tea is steeped at eighty degrees.\nBlack tea takes boiling water.\n\n## Storage\n\nKeep it dry.\n',
  'garden/roses.md': '---\ntags: [garden]\n---\n# Roses\n\nRoses are pruned in late winter.\n',
  'code/brew.py': 'def brew(minutes):\n    """Steeps tea for some minutes."""\n    return minutes * 60\n',
};

/** A knowledge base in a temporary folder, and servers for it. */
export interface TestHome {
  readonly folder: string;
  readonly workspace: string;
  write(file: string, text: string): void;
  /** Opens another App on the same knowledge base, as another process would. */
  openApp(
    options?: { readonly readonly?: boolean } & Pick<OpenAppOptions, 'despiteConfig' | 'isLasting'>,
  ): Promise<App>;
  live(options?: { readonly readonly?: boolean }): LiveApp;
  /** A client and its server; `announce` hears what the server sends on its own. */
  connection(options?: {
    readonly readonly?: boolean;
    readonly view?: () => Promise<AnswerView>;
    readonly announce?: (notification: ReceivedNotification) => void;
  }): Connection;
  close(): Promise<void>;
}

/** Options of a home. */
export interface HomeOptions {
  /** Plugins that come before the built-in ones. */
  readonly plugins?: readonly BuiltinPlugin[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Creates a home with a few notes that are not ingested yet. */
export function newHome({ plugins = [], env: moreEnv = {} }: HomeOptions = {}): TestHome {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-mcp-'));
  const workspace = path.join(folder, 'notes');
  const env = {
    KEBAB_WORKSPACE_ROOT: workspace,
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    XDG_DATA_HOME: path.join(folder, 'data'),
    XDG_STATE_HOME: path.join(folder, 'state'),
    XDG_CACHE_HOME: path.join(folder, 'cache'),
    ...moreEnv,
  };
  const lives: LiveApp[] = [];
  const connections: Connection[] = [];
  const home: TestHome = {
    folder,
    workspace,
    write: (file, text) => {
      const target = path.join(folder, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    },
    openApp: ({ readonly = false, ...how } = {}) =>
      openApp({
        ...how,
        builtins: [...plugins, ...builtins],
        environment: { cwd: workspace, env, homeDir: folder, tmpDir: tmpdir() },
        flags: { readonly },
      }),
    live: ({ readonly = false } = {}) => {
      const live = new LiveApp({ open: (how) => home.openApp({ readonly, ...how }), cwd: workspace, readonly });
      lives.push(live);
      return live;
    },
    connection: ({ announce, view, ...options } = {}) => {
      const connection = new Connection(kebabSurface(home.live(options), view), announce);
      connections.push(connection);
      return connection;
    },
    close: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
      await Promise.all(lives.map((live) => live.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (const [file, text] of Object.entries(NOTES)) home.write(path.join('notes', file), text);
  return home;
}

/** Creates a home whose notes are indexed. */
export async function indexedHome(options?: HomeOptions): Promise<TestHome> {
  const home = newHome(options);
  await ingest(home);
  return home;
}

/** Ingests the workspace, as another process would. */
export async function ingest(home: TestHome): Promise<void> {
  const app = await home.openApp();
  try {
    await app.ingest();
  } finally {
    await app.close();
  }
}
