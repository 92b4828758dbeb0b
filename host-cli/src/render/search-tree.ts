import type { SearchHit, Trace } from '@kebab/core/app';
import { printable } from '../io/printable.ts';
import { shortModel } from './retrievers.ts';
import type { Screen } from './screen.ts';
import { padWidth } from './text-width.ts';

const LABEL_COLUMNS = 20;
const SHOWN_DIGITS = 8;

interface Branch {
  readonly label: string;
  readonly rank: number | null;
  /** As shown; null when that stage did not return the chunk. */
  readonly score: string | null;
}

/** How one hit came about: a line for each stage that ran, then who cut the chunk. */
export function renderTree(hit: SearchHit, trace: Trace | undefined, { colors }: Screen): readonly string[] {
  const branches = branchesOf(hit, trace);
  const lines = branches.map(({ label, rank, score }, index) => {
    const corner = index === branches.length - 1 ? '└' : '├';
    return `   ${corner} ${padWidth(`${label} `, LABEL_COLUMNS)}rank ${String(rank ?? '-').padEnd(3)} score ${score ?? '-'}`;
  });
  const chunk = `chunker ${hit.chunker_version}   chunk_id ${hit.chunk_id.slice(0, SHOWN_DIGITS)}…`;
  return [...lines, `   ${chunk}`].map((line) => colors.dim(printable(line)));
}

function branchesOf(hit: SearchHit, trace: Trace | undefined): readonly Branch[] {
  const { retrieval, embedding_model } = hit;
  const lexical: Branch = {
    label: 'lexical (bm25)',
    rank: retrieval.lexical_rank,
    score: retrieval.lexical_score?.toFixed(1) ?? null,
  };
  const vector: Branch = {
    label: `vector (${shortModel(embedding_model)})`,
    rank: retrieval.vector_rank,
    score: retrieval.vector_score?.toFixed(2) ?? null,
  };
  const fusion: Branch = {
    label: 'rrf fusion',
    rank: fusedRank(hit, trace),
    score: retrieval.fusion_score?.toFixed(2) ?? null,
  };
  const contributed = (retrieval.retrievers ?? []).map(({ id, rank, score }): Branch => {
    return { label: id, rank, score: score.toFixed(2) };
  });
  const meant = embedding_model === null && contributed.length > 0 ? [] : [vector];
  const hybrid = [lexical, ...meant, ...contributed, fusion];
  const found = { lexical: [lexical], vector: [vector], hybrid }[retrieval.method];
  return [...found, ...laterBranches(hit, trace)];
}

/** What happened behind the sides: only what did. */
function laterBranches(
  { chunk_id, rank, retrieval, duplicate_of }: SearchHit,
  trace: Trace | undefined,
): readonly Branch[] {
  const code = trace?.code?.find((moved) => moved.chunk_id === chunk_id);
  const { rerank_rank, rerank_score } = retrieval;
  const branches: Branch[] = [];
  if (code !== undefined) branches.push({ label: 'code order', rank: code.rank, score: `× ${code.factor.toFixed(2)}` });
  if (rerank_rank !== undefined)
    branches.push({ label: 'rerank', rank: rerank_rank, score: rerank_score?.toFixed(2) ?? null });
  if (duplicate_of !== undefined)
    branches.push({ label: 'near-identical', rank, score: `as ${duplicate_of.slice(0, SHOWN_DIGITS)}…` });
  return branches;
}

/** What comes later hides the place that fusion gave a hit; the trace still tells, and without one there is nothing to tell. */
function fusedRank({ chunk_id, rank }: SearchHit, trace: Trace | undefined): number {
  const index = trace?.rrf_inputs.findIndex((input) => input.chunk_id === chunk_id) ?? -1;
  return index === -1 ? rank : index + 1;
}
