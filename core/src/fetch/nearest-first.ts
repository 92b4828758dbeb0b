/** The numbers from 1 to `last` without `from`, the nearest to it first; of two the larger first, because text grows. */
export function* nearestFirst(from: number, last: number): Generator<number> {
  for (let distance = Math.max(1, from - last); distance < Math.max(from, last - from + 1); distance++) {
    if (from + distance <= last) yield from + distance;
    if (from - distance >= 1) yield from - distance;
  }
}
