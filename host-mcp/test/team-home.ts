import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openApp, type App } from '@kebab/core/app';
import { builtins } from '@kebab/builtins';
import { scripted } from './fakes/scripted-plugin.ts';

/** A rule as it is written into the configuration. */
export interface WrittenRule {
  readonly source?: string;
  readonly path?: string;
  readonly readers: readonly string[];
}

/** A document: its source, its path and its text. */
export interface TeamDocument {
  readonly source: 'default' | 'team';
  readonly path: string;
  readonly text: string;
}

/** Documents that share words, link to each other, are copies of each other, and have words that no other one has; two cannot be indexed. */
export const DOCUMENTS: readonly TeamDocument[] = [
  {
    source: 'default',
    path: 'handbook.md',
    text: '# Handbook\n\nEveryone rows at dawn. See [[wages]] and [[oars]].\n',
  },
  {
    source: 'default',
    path: 'hr/wages.md',
    text: '---\ntags: [pay]\n---\n# Wages\n\nThe coxswain earns zloty at dawn.\n',
  },
  { source: 'default', path: 'hr/private/review.md', text: '# Review\n\nThe coxswain rows badly, says quokka.\n' },
  { source: 'default', path: 'boats/oars.md', text: '# Oars\n\nOars are made of spruce. Back to [[handbook]].\n' },
  {
    source: 'default',
    path: 'boats/spare/oars.md',
    text: '# Oars\n\nOars are made of spruce. Back to [[handbook]].\n',
  },
  {
    source: 'default',
    path: 'boats/hull.py',
    text: 'def caulk(hull):\n    """Rows of oakum at dawn."""\n    return hull\n',
  },
  { source: 'default', path: 'hr/private/quokka.xyz', text: 'No plugin reads this at dawn.\n' },
  { source: 'default', path: 'hr/node_modules/oars.xyz', text: 'No ingest enters this folder.\n' },
  { source: 'team', path: 'plan.md', text: '---\ntags: [pay, plan]\n---\n# Plan\n\nBuy spruce and pay in zloty.\n' },
  { source: 'team', path: 'boats/race.md', text: '# Race\n\nThe race begins at dawn, on the Vltava.\n' },
  { source: 'team', path: 'ko/노젓기.md', text: '# 노젓기\n\n새벽에 노를 젓는다. 한국은 강이 많다.\n' },
  { source: 'team', path: 'boats/hull.py', text: 'def caulk(hull, tar):\n    """Tar at dawn."""\n    return tar\n' },
];

/** A knowledge base, and its App. */
export interface TeamHome {
  readonly app: App;
  readonly folder: string;
  /** Opens another App on it. */
  readonly openAgain: () => Promise<App>;
  /** Closes the App, and removes its files unless they are to be read. */
  readonly close: (removes?: boolean) => Promise<void>;
}

/** A knowledge base of some documents, with rules, a scripted model and vectors made of words. */
export async function teamHome(
  documents: readonly TeamDocument[],
  rules: readonly WrittenRule[] = [],
  more: string = '',
): Promise<TeamHome> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-team-'));
  const at = (document: TeamDocument): string => path.join(folder, document.source, document.path);
  const time = new Date('2026-02-03T04:05:06Z');
  for (const source of ['default', 'team', 'config/kebab']) mkdirSync(path.join(folder, source), { recursive: true });
  for (const document of documents) {
    mkdirSync(path.dirname(at(document)), { recursive: true });
    writeFileSync(at(document), document.text);
    utimesSync(at(document), time, time);
  }
  const tables = rules.map((rule) =>
    ['[[access.rules]]', ...Object.entries(rule).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)].join('\n'),
  );
  const source = `[[workspace.sources]]\nid = "team"\nroot = ${JSON.stringify(path.join(folder, 'team'))}\n`;
  writeFileSync(path.join(folder, 'config/kebab/config.toml'), `${more}\n${source}\n${tables.join('\n\n')}\n`);
  const { plugins = [], env = {} } = scripted('Rowers row at dawn [1].');
  const open = (): Promise<App> =>
    openApp({
      builtins: [...plugins, ...builtins],
      clock: { now: () => new Date('2026-03-04T05:06:07Z') },
      environment: {
        cwd: path.join(folder, 'default'),
        homeDir: folder,
        tmpDir: tmpdir(),
        env: {
          KEBAB_WORKSPACE_ROOT: path.join(folder, 'default'),
          KEBAB_SEARCH_MIN_RELEVANCE: '0',
          KEBAB_RAG_SCORE_GATE: '0',
          XDG_CONFIG_HOME: path.join(folder, 'config'),
          XDG_DATA_HOME: path.join(folder, 'data'),
          XDG_STATE_HOME: path.join(folder, 'state'),
          XDG_CACHE_HOME: path.join(folder, 'cache'),
          ...env,
        },
      },
    });
  const app = await open();
  await app.ingest();
  const close = async (removes = true): Promise<void> => {
    await app.close();
    if (removes) rmSync(folder, { recursive: true, force: true });
  };
  return { app, folder, openAgain: open, close };
}
