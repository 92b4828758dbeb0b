import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { jsonLines, type CliHome } from '../../../host-cli/test/fakes/built-cli.ts';
import type { Bench, Outcome } from '../harness/area.ts';
import { problemOfRun, watched } from '../harness/watched-process.ts';
import { McpServer } from '../harness/mcp-server.ts';
import type { HostileProxy } from './hostile-proxy.ts';
import type { BadAnswer } from './misbehaviours.ts';

/** The settings for vectors of a server. */
export function vectorsFrom(endpoint: string): Readonly<Record<string, string>> {
  return {
    KEBAB_MODELS_EMBEDDING_PROVIDER: 'ollama',
    KEBAB_MODELS_EMBEDDING_MODEL: 'vectors',
    KEBAB_MODELS_EMBEDDING_ENDPOINT: endpoint,
  };
}

/** The outcome of a search for an indexed document. */
interface Searched {
  readonly problem: string | null;
  /** Whether it reports that part of the result is missing. */
  readonly isDegraded: boolean;
}

/** Searches for one document, each time with words that are in no cache. */
function searchesWith(server: McpServer): () => Promise<Searched> {
  let turn = 0;
  return async () => {
    const query = `eighty degrees ${'q'.repeat(++turn)}`;
    const { problem, answer } = await server.call('search', { query, k: 3 });
    const content = answer?.result?.structuredContent as { readonly degraded?: readonly unknown[] } | undefined;
    const isFound = JSON.stringify(answer?.result).includes('notes/tea.md');
    return {
      problem: problem ?? (isFound ? null : 'a document is not found any more'),
      isDegraded: (content?.degraded?.length ?? 0) > 0,
    };
  };
}

/** A home with vectors, and the proxy in front of its server. */
export interface OverProxy {
  readonly home: CliHome;
  readonly env: Readonly<Record<string, string>>;
  readonly proxy: HostileProxy;
}

/** Runs one search for each bad answer; after each, a search over the sound server must be complete again. */
export async function* replaySearches(
  bench: Bench,
  { home, env, proxy }: OverProxy,
  answers: readonly BadAnswer[],
): AsyncGenerator<Outcome> {
  const server = new McpServer(bench.cli, home, env);
  const search = searchesWith(server);
  try {
    for (const { name, route, answer } of bench.pick(answers)) {
      proxy.misbehave(route, answer);
      const bad = await search();
      const strayed = proxy.problem();
      proxy.misbehave(route, null);
      const next = await search();
      const lasting = next.isDegraded ? 'vectors do not come back with a sound server' : null;
      yield { name, problem: bad.problem ?? strayed ?? next.problem ?? lasting };
    }
  } finally {
    server.close();
  }
}

interface Report {
  readonly embeddings_pending?: number;
  readonly degraded?: readonly unknown[];
}

/** An ingest, and its expected outcome. */
interface Ingested {
  readonly home: CliHome;
  readonly env: Readonly<Record<string, string>>;
  /** Expected number of pending documents. */
  readonly pending?: number;
  /** True when documents must be pending and the report must say why; false when it must report nothing. */
  readonly isDegraded?: boolean;
  /** The number of vectors on the server: one per chunk. */
  readonly stored?: () => number;
}

/** Ingests and returns what went wrong; only as many documents as it reports pending may lack vectors. */
export async function ingestIn(
  { cli }: Pick<Bench, 'cli'>,
  { home, env, pending, isDegraded, stored }: Ingested,
): Promise<string | null> {
  const run = await watched(cli.start(['ingest', '--json', '--quiet'], { home, env }), { deadlineMs: 30_000 });
  const problem = problemOfRun(run);
  if (problem !== null) return problem;
  const report = jsonLines(run.stdout).at(-1) as Report | undefined;
  const said = report?.embeddings_pending;
  const isSaid = (report?.degraded?.length ?? 0) > 0;
  if (said === undefined) return `no report: ${run.stderr.slice(0, 300)}`;
  if (isDegraded !== undefined && (isSaid !== isDegraded || said > 0 !== isDegraded))
    return `${said} documents are pending, and the report says ${JSON.stringify(report?.degraded)}`;
  if (pending !== undefined && said !== pending) return `${said} documents are pending with a sound server`;
  const db = new Sqlite(path.join(home.folder, 'data', 'kebab', 'kebab.sqlite'), { readonly: true });
  try {
    const lacking = db.prepare(DOCUMENTS_WITHOUT_VECTORS).pluck().get() as number;
    if (lacking > said) return `${lacking} documents lack vectors, and ${said} are said to`;
    const chunks = db.prepare('SELECT count(*) FROM chunks').pluck().get() as number;
    return stored === undefined || stored() === chunks ? null : `${stored()} vectors of ${chunks} chunks`;
  } finally {
    db.close();
  }
}

const DOCUMENTS_WITHOUT_VECTORS = `SELECT count(DISTINCT c.doc_seq) FROM chunks c
  WHERE NOT EXISTS (SELECT 1 FROM embedding_records r WHERE r.chunk_id = c.chunk_id AND r.status = 'committed')`;
