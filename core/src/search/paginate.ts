/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Whether the list goes on behind the page. */
  readonly hasMore: boolean;
}

/** How many entries of a list must be known to cut the page of `k` entries behind `offset`, and to know what follows. */
export function neededFor(offset: number, k: number): number {
  return offset + k + 1;
}

/** The page of `k` entries behind `offset`, out of at least the first {@link neededFor} entries of the list. */
export function pageOf<T>(list: readonly T[], offset: number, k: number): Page<T> {
  return { items: list.slice(offset, offset + k), hasMore: list.length > offset + k };
}
