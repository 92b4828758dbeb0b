import { invalidInput } from '@kebab/core';

/** The vector of length 1 with the same direction. Throws `invalid_input` for one that has none, or other dimensions. */
export function unitVector(vector: Float32Array, dimensions: number): number[] {
  if (vector.length !== dimensions)
    throw invalidInput(`a vector has ${vector.length} dimensions, its collection ${dimensions}`, {
      field: 'vector',
      value: String(vector.length),
    });
  const sum = vector.reduce((total, x) => total + x * x, 0);
  if (!(sum > 0 && sum < Infinity))
    throw invalidInput(
      sum === 0 ? 'a vector is zero: it has no direction' : 'a vector has numbers that are not finite',
      {
        field: 'vector',
      },
    );
  const factor = 1 / Math.sqrt(sum);
  return Array.from(vector, (x) => Math.fround(x * factor));
}
