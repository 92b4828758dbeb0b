import type { App } from '@kebab/core/app';

const METHODS = [
  'search',
  'ask',
  'listSessions',
  'showSession',
  'deleteSession',
  'fetch',
  'snap',
  'locate',
  'verifyCitation',
  'ingest',
  'ingestFile',
  'ingestText',
  'listDocs',
  'inspectDoc',
  'inspectChunk',
  'resolveId',
  'doctor',
  'schema',
  'init',
  'reset',
  'configView',
  'configPaths',
  'pluginList',
  'trust',
] as const satisfies readonly (keyof App)[];

/** An App that does what a test says, and fails for everything else. */
export function fakeApp(does: Partial<App>): App {
  const unexpected = Object.fromEntries(
    METHODS.map((name) => [name, () => Promise.reject(new Error(`the test did not expect ${name}`))]),
  );
  return { notices: [], close: async () => undefined, ...unexpected, ...does } as App;
}
