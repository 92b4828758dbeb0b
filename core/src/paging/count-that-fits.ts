/** What has to fit: the sizes of items in a list, and that of everything around the list. */
export interface FitRequest {
  readonly sizes: readonly number[];
  readonly budget: number;
  /** The size of the response around the first `count` items. */
  readonly sizeAround: (count: number) => number;
}

/** How many items from the front a response can hold within its budget: at least one, if there is one. */
export function countThatFits({ sizes, budget, sizeAround }: FitRequest): number {
  let items = sizes.reduce((sum, size) => sum + size, 0);
  for (let count = sizes.length; count > 1; count--) {
    const commas = count - 1;
    if (sizeAround(count) + items + commas <= budget) return count;
    items -= sizes[count - 1] ?? 0;
  }
  return sizes.length === 0 ? 0 : 1;
}
