// The MCP server: its lists, every tool with real arguments and with wrong ones, resources, prompts, both eras, both transports.
import { isDeepStrictEqual } from 'node:util';
import { PipeClient, post } from '../mcp-client.mjs';
import { FILTERED, QUERIES, REFUSED, SHAPED } from '../queries.mjs';

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'recorder', version: '1' } };
const NO_ID = '0123456789abcdef0123456789abcdef';

/** The whole session of one agent. `inspections` are those of the command line, by source and path. */
export async function recordServer(recorder, world, { inspections, documents, model }) {
  const client = new PipeClient(world.start(['mcp']));
  const session = new Session(recorder, client);
  await session.keep('initialize', 'initialize', INITIALIZE);
  client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await recordSurface(session);
  await recordSearchTools(session);
  await recordReadingTools(session, inspections);
  await recordTexts(session, documents, inspections);
  await recordAskTool(session, model);
  await recordResources(session, inspections);
  await recordPrompts(session);
  await recordProtocol(session);
  recorder.keep('mcp protocol', 'exit code after the end of the input', await client.close());
  await recordStateless(recorder, world);
}

/** Requests whose responses are recorded. */
class Session {
  constructor(recorder, client) {
    this.recorder = recorder;
    this.client = client;
  }

  async keep(operation, name, params, { method = operation, stateless = false } = {}) {
    const result = await this.client.request(method, params, { stateless });
    const { instructions, ...rest } = withoutTwice(result) ?? {};
    this.recorder.keep(`mcp ${operation}`, name, rest);
    if (instructions !== undefined) this.recorder.keep(`mcp ${operation}`, name, { instructions }, 'help');
    return result;
  }

  /** Calls a tool. If text and structured content are the same, they are recorded once; a different text is recorded as well. */
  async call(tool, args, { name = JSON.stringify(args), meta } = {}) {
    this.client.notifications = [];
    const params = { name: tool, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
    const result = await this.client.request('tools/call', params);
    this.recorder.keep(`mcp ${tool}`, name, withoutTwice(result));
    if (meta !== undefined) this.recorder.keep(`mcp ${tool}`, `${name}, progress`, this.client.notifications);
    return result?.structuredContent;
  }
}

function withoutTwice(result) {
  const { structuredContent, content, ...rest } = result ?? {};
  if (structuredContent === undefined) return result;
  const isSame = content?.length === 1 && isDeepStrictEqual(objectIn(content[0].text), structuredContent);
  return { ...rest, structuredContent, content: isSame ? 'one text, the same as the structured content' : content };
}

/** The object in a text; null if it is prose, like the text of a brief answer. */
function objectIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Removes descriptions, whose wording may change; everything else of a list is compared. */
function withoutWording(value) {
  if (Array.isArray(value)) return value.map(withoutWording);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, member]) => name !== 'description' || typeof member !== 'string');
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutWording(member)]));
}

async function recordSurface(session) {
  for (const method of ['tools/list', 'resources/templates/list', 'prompts/list']) {
    const list = await session.client.request(method, {});
    session.recorder.keep('mcp lists', method, withoutWording(list));
    session.recorder.keep('mcp lists', method, list, 'help');
  }
}

async function recordSearchTools(session) {
  for (const query of QUERIES) for (const mode of ['lexical', 'hybrid']) await session.call('search', { query, mode });
  for (const request of [...FILTERED, ...SHAPED, ...REFUSED]) await session.call('search', request);
  await session.call('search', { query: 'memory', colour: 'red' });
  await session.call('bulk_search', { queries: [{ query: 'memory' }, { query: '한국', k: 2 }, { query: '' }] });
  await session.call(
    'bulk_search',
    {
      queries: [
        { query: 'memory', k: 1 },
        { query: 'oil', k: 1 },
      ],
    },
    { meta: { progressToken: 'p' } },
  );
  await session.call('bulk_search', { queries: [] });
  await session.call('bulk_search', { queries: ['memory'] });
  await session.call(
    'bulk_search',
    { queries: Array.from({ length: 101 }, () => ({ query: 'x' })) },
    { name: '101 queries' },
  );
  let cursor;
  for (let page = 1; page <= 3; page++) {
    const args = { query: 'memory', mode: 'lexical', k: 4, ...(cursor === undefined ? {} : { cursor }) };
    cursor = (await session.call('search', args, { name: `page ${page}` }))?.next_cursor ?? undefined;
  }
}

async function recordReadingTools(session, inspections) {
  const { doc_id: doc = NO_ID } = inspections.get('default: odd/structures.md')?.summary ?? {};
  const [chunk = NO_ID] = inspections.get('default: odd/structures.md')?.chunk_ids ?? [];
  const fetches = [
    { kind: 'chunk', chunk_id: chunk, context: 2 },
    { kind: 'chunk', chunk_id: NO_ID },
    { kind: 'chunk', chunk_id: chunk, max_tokens: 3 },
    { kind: 'chunk' },
    { kind: 'doc', doc_id: doc, max_tokens: 40 },
    { kind: 'span', doc_id: doc, line_start: 2, line_end: 9 },
    { kind: 'span', doc_id: doc, line_start: 0, line_end: 9 },
    { kind: 'span', doc_id: doc },
    { kind: 'uri', uri: 'odd/structures.md#L3-L5' },
    { kind: 'uri', uri: 'papers/multicolumn.pdf#p=1', max_tokens: 20 },
    { kind: 'uri', uri: 'README.md#L1' },
    { kind: 'page', page: 1 },
    {},
  ];
  for (const [i, args] of fetches.entries()) await session.call('fetch', args, { name: `request ${i + 1}` });
  for (const args of [
    {},
    { media: ['pdf'] },
    { path_glob: ['odd/**'], limit: 5 },
    { limit: 0 },
    { media: ['film'] },
    { cursor: 'x' },
  ])
    await session.call('list_docs', args);
  let cursor;
  for (let page = 1; page <= 3; page++) {
    const args = { limit: 40, ...(cursor === undefined ? {} : { cursor }) };
    cursor = (await session.call('list_docs', args, { name: `page ${page}` }))?.next_cursor ?? undefined;
  }
  for (const tool of ['schema', 'doctor']) for (const args of [{}, { verbose: true }]) await session.call(tool, args);
  for (const args of [
    { uri: 'odd/structures.md#L3-L5' },
    { uri: 'odd/structures.md#L3-L5', content_hash: 'ffffffffffffffff' },
    { uri: 'README.md#L1', source: 'code' },
    { uri: 'nowhere.md#L1' },
    {},
  ])
    await session.call('verify_citation', args);
}

/** The text of every document, and of every chunk. */
async function recordTexts(session, documents, inspections) {
  for (const { doc_id: id, doc_path: path, source_id: source } of documents) {
    const args = { kind: 'doc', doc_id: id, max_tokens: 1_000_000 };
    await session.call('fetch', args, { name: `text of ${source}: ${path}` });
    for (const [n, chunkId] of (inspections.get(`${source}: ${path}`)?.chunk_ids ?? []).entries())
      await session.call('fetch', { kind: 'chunk', chunk_id: chunkId }, { name: `chunk ${n} of ${source}: ${path}` });
  }
}

async function recordAskTool(session, model) {
  model.script = {};
  for (const args of [
    { query: 'Where did the Normans settle?', k: 3 },
    { query: 'zyzzyva quokka?' },
    { query: 'Where did the Normans settle?', multi_hop: true, k: 2 },
    { query: 'x', session: 'bad name!' },
    { query: '' },
    { question: 'x' },
  ])
    await session.call('ask', args);
  await session.call(
    'ask',
    { query: 'Where did the Normans settle?', session: 'agent', k: 2, explain: true },
    { meta: { progressToken: 7 } },
  );
}

async function recordResources(session, inspections) {
  const first = await session.keep('resources/list', 'first page', {});
  if (first?.nextCursor !== undefined)
    await session.keep('resources/list', 'second page', { cursor: first.nextCursor });
  await session.keep('resources/list', 'a cursor that is none', { cursor: 'x' });
  const { doc_id: doc = NO_ID } = inspections.get('default: odd/bom.md')?.summary ?? {};
  const [chunk = NO_ID] = inspections.get('default: odd/bom.md')?.chunk_ids ?? [];
  const uris = {
    document: `kebab://doc/${doc}`,
    chunk: `kebab://chunk/${chunk}`,
    unknown: `kebab://doc/${NO_ID}`,
    odd: 'file:///etc/passwd',
  };
  for (const [name, uri] of Object.entries(uris)) await session.keep('resources/read', name, { uri });
  const template = { type: 'ref/resource', uri: 'kebab://doc/{id}' };
  const typed = { 'part of a path': 'struct', 'the beginning of an id': doc.slice(0, 8), nothing: 'zzzz' };
  for (const [name, value] of Object.entries(typed))
    await session.keep('completion/complete', `documents by ${name}`, {
      ref: template,
      argument: { name: 'id', value },
    });
}

async function recordPrompts(session) {
  const wanted = [
    { name: 'ask_kb', arguments: { question: 'What is a boundary layer?' } },
    { name: 'answer_with_citations', arguments: { topic: 'memory' } },
    { name: 'explain_miss', arguments: { query: 'memory', expected: 'odd/bom.md' } },
    { name: 'ask_kb', arguments: {} },
    { name: 'nothing' },
  ];
  for (const params of wanted) {
    const result = await session.client.request('prompts/get', params);
    session.recorder.keep(
      'mcp prompts/get',
      JSON.stringify(params),
      result,
      result?.error === undefined ? 'help' : 'json',
    );
  }
  const ref = { type: 'ref/prompt', name: 'explain_miss' };
  await session.keep('completion/complete', 'of a prompt', { ref, argument: { name: 'expected', value: 'odd/b' } });
}

async function recordProtocol(session) {
  await session.keep('protocol', 'ping', {}, { method: 'ping' });
  await session.keep('protocol', 'an unknown method', {}, { method: 'tools/destroy' });
  await session.keep('protocol', 'an unknown tool', { name: 'serach', arguments: {} }, { method: 'tools/call' });
  await session.keep(
    'protocol',
    'arguments that are no object',
    { name: 'search', arguments: [] },
    { method: 'tools/call' },
  );
  for (const version of ['2025-06-18', '2024-11-05', '2099-01-01'])
    await session.keep('initialize', `revision ${version}`, { ...INITIALIZE, protocolVersion: version });
  const { client, recorder } = session;
  recorder.keep('mcp protocol', 'a line that is not JSON', await client.answerTo('{broken', undefined));
  recorder.keep('mcp protocol', 'a batch', await client.answerTo('[]', undefined));
}

/** The revision without a session. */
async function recordStateless(recorder, world) {
  const stateless = { stateless: true };
  const client = new PipeClient(world.start(['mcp']));
  const session = new Session(recorder, client);
  recorder.keep('mcp stateless', 'tools/list', withoutWording(await client.request('tools/list', {}, stateless)));
  const calls = [
    { method: 'server/discover', params: {} },
    { method: 'tools/call', params: { name: 'search', arguments: { query: 'memory', k: 2, mode: 'lexical' } } },
    { method: 'tools/call', params: { name: 'search', arguments: { query: '' } } },
    { method: 'resources/list', params: {} },
    { method: 'resources/read', params: { uri: `kebab://doc/${NO_ID}` } },
    { method: 'initialize', params: INITIALIZE },
    { method: 'ping', params: {} },
  ];
  for (const [i, { method, params }] of calls.entries())
    await session.keep('stateless', `${i + 1} ${method}`, params, { method, ...stateless });
  await client.close();
}

/** Tools that write, in a writable world; and their absence in read-only mode. */
export async function recordWritingTools(recorder, world) {
  const client = new PipeClient(world.start(['mcp'], { cwd: world.at('work') }));
  const session = new Session(recorder, client);
  await client.request('initialize', INITIALIZE);
  world.write('work/agent.md', '# From an agent\n\nSaffron is picked by hand.\n');
  await session.call('ingest_file', { path: 'agent.md' }, { meta: { progressToken: 'i' } });
  await session.call('ingest_file', { path: 'agent.md' }, { name: 'the same file again' });
  await session.call('ingest_file', { path: '/etc/hostname' });
  await session.call('ingest_file', { path: 'nowhere.md' });
  await session.call('ingest_file', {});
  await session.call('ingest_stdin', {
    content: '# Note\n\nVanilla is an orchid.\n',
    title: 'Vanilla',
    source_uri: 'https://example.org/v',
  });
  await session.call('ingest_stdin', { content: 'x' });
  await session.call('search', { query: 'vanilla saffron', mode: 'lexical' }, { name: 'what the agent added' });
  await client.close();

  const reader = new PipeClient(world.start(['mcp', '--readonly']));
  const reading = new Session(recorder, reader);
  await reader.request('initialize', INITIALIZE);
  const { tools } = await reader.request('tools/list', {});
  recorder.keep(
    'mcp lists',
    'tools in read-only mode',
    tools?.map(({ name }) => name),
  );
  await reading.call('ingest_stdin', { content: 'x', title: 'y' }, { name: 'in read-only mode' });
  await reading.call('ask', { query: 'x', session: 's' }, { name: 'a conversation in read-only mode' });
  await reader.close();
}

/** The same over HTTP: what is served, and which clients are rejected. */
export async function recordHttp(recorder, world) {
  const child = world.with({ KEBAB_MCP_TOKEN: 'token' }).start(['mcp', '--port', '0']);
  const closed = new Promise((resolve) => child.once('close', resolve));
  try {
    const url = await addressOf(child);
    const token = { authorization: 'Bearer token' };
    const { status, type } = await post(url, message('initialize', INITIALIZE), token);
    recorder.keep('mcp http', 'initialize', { status, type });
    const search = message('tools/call', { name: 'search', arguments: { query: 'memory', k: 1, mode: 'lexical' } });
    const { body, ...found } = await post(url, search, token);
    recorder.keep('mcp http', 'search', { ...found, result: withoutTwice(body.result) });
    recorder.keep('mcp http', 'without a token', await post(url, search));
    recorder.keep('mcp http', 'a foreign origin', await post(url, search, { ...token, origin: 'https://example.org' }));
    recorder.keep(
      'mcp http',
      'an unknown revision',
      await post(url, search, { ...token, 'mcp-protocol-version': '1999-01-01' }),
    );
    recorder.keep('mcp http', 'no JSON', await post(url, '{broken', token));
    recorder.keep('mcp http', 'a batch', await post(url, [search], token));
    recorder.keep('mcp http', 'GET', (await fetch(url, { headers: token })).status);
    recorder.keep('mcp http', 'another path', (await fetch(new URL('/other', url), { headers: token })).status);
  } finally {
    child.kill();
    await closed;
  }
}

function message(method, params) {
  return { jsonrpc: '2.0', id: 1, method, params };
}

/** The address that the server prints on standard error. */
function addressOf(child) {
  let told = '';
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (part) => {
      told += part;
      const address = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(told)?.[0];
      if (address !== undefined) resolve(address);
    });
    child.once('close', () => reject(new Error(`the server ended: ${told}`)));
  });
}
