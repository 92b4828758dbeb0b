/** The cosines between which an embedder's relevance runs from 0 to 1. */
export interface CosineRange {
  readonly floor: number;
  readonly ceil: number;
}

/** How far a cosine lies between the embedder's floor and ceiling, 0 to 1. */
export function vectorRelevance(cosine: number, { floor, ceil }: CosineRange): number {
  if (ceil <= floor) return cosine >= ceil ? 1 : 0;
  return Math.min(1, Math.max(0, (cosine - floor) / (ceil - floor)));
}
