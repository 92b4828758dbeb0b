import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { definePlugin } from '@kebab/core';
import { openApp, type App, type BuiltinPlugin } from '@kebab/core/app';
import { ScriptedModel, type Script } from '@kebab/testing';
import { builtins } from '@kebab/builtins';
import { serveUi, type UiOptions, type UiServer } from '../../src/index.ts';

/** A response of the server. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** A served knowledge base, and a browser that has been let in. */
export interface WebHome {
  readonly folder: string;
  readonly server: UiServer;
  readonly cookie: string;
  /** The variables of its knowledge base. */
  readonly env: Readonly<Record<string, string>>;
  /** Gets a page with the cookie. */
  get(address: string, headers?: Readonly<Record<string, string>>): Promise<Page>;
  /** Sends a form with the cookie, as a script of the pages does. */
  post(address: string, body: Readonly<Record<string, string>>): Promise<Page>;
  close(): Promise<void>;
}

/** What is sent, and how the response is followed. */
export interface SendOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The members of a form. */
  readonly body?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Receives the body as it arrives. */
  readonly onPart?: (part: string) => void;
}

/** Sends any request, unlike `fetch` with any `Host`, `Origin` and path. */
export function send(
  port: number,
  target: string,
  { method = 'GET', headers = {}, body, signal, onPart = () => undefined }: SendOptions = {},
): Promise<Page> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path: target, headers, signal });
    request.on('error', reject).on('response', (response) => {
      const parts: string[] = [];
      response
        .setEncoding('utf8')
        .on('error', reject)
        .on('data', (part: string) => {
          parts.push(part);
          onPart(part);
        })
        .on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parts.join('') }),
        );
    });
    request.end(body === undefined ? undefined : new URLSearchParams(body).toString());
  });
}

/** A model that writes what a script says; chosen with `KEBAB_MODELS_LLM_PROVIDER=scripted`. */
export function modelWriting(script: Script): BuiltinPlugin {
  return modelPlugin(new ScriptedModel(script));
}

/** A plugin that contributes a model as `scripted`. */
export function modelPlugin(model: ScriptedModel): BuiltinPlugin {
  const common = {
    name: 'fake-llm',
    version: '1.0.0',
    apiVersion: 1,
    permissions: { fs: 'none', net: [], spawn: [] },
  } as const;
  const plugin = definePlugin({ ...common, kebab: '*', contributes: { llm: { scripted: () => model } } });
  return { manifest: { ...common, contributes: { llm: ['scripted'] } }, load: async () => ({ default: plugin }) };
}

/** Indexes files in a temporary folder and serves them. */
export async function webHome(
  files: Readonly<Record<string, string | Uint8Array>>,
  {
    plugins = [],
    env: moreEnv = {},
    mayWrite = false,
    served = (app) => app,
    ...ui
  }: {
    readonly plugins?: readonly BuiltinPlugin[];
    readonly env?: Readonly<Record<string, string>>;
    readonly mayWrite?: boolean;
    /** What the pages are given in place of each App that is opened. */
    readonly served?: (app: App) => App;
  } & Pick<UiOptions, 'edit' | 'pastSearches'> = {},
): Promise<WebHome> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-web-'));
  const workspace = path.join(folder, 'notes');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    writeFileSync(path.join(workspace, name), text);
  }
  const env = {
    KEBAB_WORKSPACE_ROOT: workspace,
    KEBAB_MODELS_EMBEDDING_PROVIDER: 'none',
    KEBAB_SERVICE: 'off',
    ...Object.fromEntries(
      ['CONFIG', 'DATA', 'STATE', 'CACHE'].map((one) => [`XDG_${one}_HOME`, path.join(folder, one)]),
    ),
    ...moreEnv,
  };
  const open = (readonly: boolean): Promise<App> =>
    openApp({
      builtins: [...plugins, ...builtins],
      environment: { cwd: workspace, env, homeDir: folder, tmpDir: tmpdir() },
      flags: { readonly },
      isLasting: true,
    });
  const writer = await open(false);
  await writer.ingest();
  await writer.close();
  const server = await serveUi({ open: async () => served(await open(!mayWrite)), port: 0, mayWrite, ...ui });
  const host = `127.0.0.1:${server.port}`;
  const entered = await send(server.port, server.entrance.slice(server.entrance.indexOf('/?')), { headers: { host } });
  const cookie = String(entered.headers['set-cookie']).split(';', 1)[0] ?? '';
  return {
    folder,
    server,
    cookie,
    env,
    get: (address, headers = {}) => send(server.port, address, { headers: { host, cookie, ...headers } }),
    post: (address, body) =>
      send(server.port, address, { method: 'POST', headers: { host, cookie, 'x-kebab-ui': '1' }, body }),
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
