import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnswerView } from '../src/kebab-surface.ts';
import type { JsonObject } from '../src/protocol/surface.ts';
import type { Connection } from './fakes/connection.ts';
import { scripted } from './fakes/scripted-plugin.ts';
import { indexedHome, type TestHome } from './fakes/test-home.ts';

const VIEW: AnswerView = {
  document: '<!doctype html><title>view</title>',
  markup: async (_app, { answer }, question) => `<p>${question}: ${answer}</p>`,
};
const CAPABILITIES = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const QUESTION = { question: 'how is green tea steeped' };

let home: TestHome;
beforeAll(async () => {
  home = await indexedHome(scripted('Green tea is steeped at eighty degrees [1].'));
});
afterAll(() => home.close());

let id = 0;
async function ask(server: Connection, method: string, params: JsonObject = {}): Promise<JsonObject> {
  const response = await server.request({ jsonrpc: '2.0', id: ++id, method, params });
  return response?.result ?? { error: response?.error };
}

async function client(capabilities: JsonObject, view?: () => Promise<AnswerView>): Promise<Connection> {
  const server = home.connection(view === undefined ? {} : { view });
  await ask(server, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'test', version: '1' },
  });
  server.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return server;
}

const load = async (): Promise<AnswerView> => VIEW;

describe('the view of an answer', () => {
  it('is named by the tool ask alone, and read as an HTML document', async () => {
    const server = await client(CAPABILITIES, load);
    const { tools } = (await ask(server, 'tools/list')) as { readonly tools: readonly JsonObject[] };
    const withView = tools.filter((tool) => '_meta' in tool);
    expect(withView).toMatchObject([{ name: 'ask', _meta: { ui: { resourceUri: 'ui://kebab/answer' } } }]);
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(14_000);
    expect(await ask(server, 'resources/read', { uri: 'ui://kebab/answer' })).toMatchObject({
      contents: [{ uri: 'ui://kebab/answer', mimeType: 'text/html;profile=mcp-app', text: VIEW.document }],
    });
    expect(await ask(server, 'resources/list')).toMatchObject({
      resources: [{ uri: 'ui://kebab/answer' }, {}, {}, {}],
    });
  });

  it('receives the markup of an answer beside what the model receives', async () => {
    const [shown, plain] = await Promise.all(
      [CAPABILITIES, {}].map(async (capabilities) =>
        ask(await client(capabilities, load), 'tools/call', { name: 'ask', arguments: QUESTION }),
      ),
    );
    expect(shown?.['_meta']).toMatchObject({
      'kebab/html': '<p>how is green tea steeped: Green tea is steeped at eighty degrees [1].</p>',
    });
    expect(shown?.['structuredContent']).toMatchObject({ schema_version: 'answer.v1', grounded: true });
    expect((plain?.['_meta'] as JsonObject | undefined)?.['kebab/html']).toBeUndefined();
  });

  it('is shown to clients of 2026-07-28 that say so with a call', async () => {
    const server = home.connection({ view: load });
    const call = { name: 'ask', arguments: QUESTION };
    const meta = {
      [CLIENT_CAPABILITIES_META_KEY]: CAPABILITIES,
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    };
    expect(await ask(server, 'tools/call', { ...call, _meta: meta })).toHaveProperty(['_meta', 'kebab/html']);
    const without = await ask(server, 'tools/call', {
      ...call,
      _meta: { ...meta, [CLIENT_CAPABILITIES_META_KEY]: {} },
    });
    expect(without).not.toHaveProperty(['_meta', 'kebab/html']);
  });

  it('leaves errors alone', async () => {
    const server = await client(CAPABILITIES, load);
    const result = await ask(server, 'tools/call', { name: 'ask', arguments: {} });
    expect(result).toMatchObject({ isError: true });
    expect(result['_meta']).toBeUndefined();
  });

  it('is absent from a server that has none', async () => {
    const server = await client(CAPABILITIES);
    expect(JSON.stringify(await ask(server, 'tools/list'))).not.toContain('ui://');
    expect(JSON.stringify(await ask(server, 'resources/list'))).not.toContain('ui://');
    expect(await ask(server, 'resources/read', { uri: 'ui://kebab/answer' })).toHaveProperty('error');
  });
});
