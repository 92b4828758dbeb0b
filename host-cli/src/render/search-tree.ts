import type { SearchHit, Trace } from '@kebab/core/app';
import { printable } from './printable.ts';
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
    return `   ${corner} ${padWidth(label, LABEL_COLUMNS)}rank ${String(rank ?? '-').padEnd(3)} score ${score ?? '-'}`;
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
    rank: retrieval.rerank_rank === undefined ? hit.rank : fusedRank(hit, trace),
    score: retrieval.fusion_score?.toFixed(2) ?? null,
  };
  const found = { lexical: [lexical], vector: [vector], hybrid: [lexical, vector, fusion] }[retrieval.method];
  if (retrieval.rerank_rank === undefined) return found;
  return [
    ...found,
    { label: 'rerank', rank: retrieval.rerank_rank, score: retrieval.rerank_score?.toFixed(2) ?? null },
  ];
}

/** A reranker hides the place a hit had before it; the trace still tells. */
function fusedRank({ chunk_id }: SearchHit, trace: Trace | undefined): number | null {
  const fused = (trace?.rrf_inputs ?? []).toSorted((a, b) => b.fusion_score - a.fusion_score);
  const index = fused.findIndex((input) => input.chunk_id === chunk_id);
  return index === -1 ? null : index + 1;
}
