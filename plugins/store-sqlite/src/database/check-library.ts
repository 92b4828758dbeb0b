import { KebabError } from '@kebab/core';

/** What has to fit together: the version of better-sqlite3, that of Node-API, and that of Node for the message. */
export interface LibraryVersions {
  readonly library: string;
  readonly nodeApi: number;
  readonly node: string;
}

/** better-sqlite3 13 loads where Node-API 10 is missing, and then ends the process. Throws `plugin_incompatible` before that. */
export function checkLibrary({ library, nodeApi, node }: LibraryVersions): void {
  if (nodeApi >= 10 || Number.parseInt(library, 10) < 13) return;
  const reason = `better-sqlite3 ${library} needs Node 22.14 or newer, this is Node ${node}`;
  throw new KebabError('plugin_incompatible', reason, {
    details: { plugin: '@kebab/plugin-store-sqlite', api_version: null, supported: [], reason },
    hint: 'run kebab with Node 22.14 or newer, or install better-sqlite3@12',
  });
}
