import { invalidInput } from '../errors/invalid-input.ts';

/** Scales a vector to length 1. Throws `invalid_input` for a vector without a direction, or with other dimensions. */
export function unitVector(vector: Float32Array, dimensions: number): Float32Array {
  if (vector.length !== dimensions)
    throw invalidInput(`a vector has ${vector.length} dimensions, its collection ${dimensions}`, {
      field: 'vector',
      value: String(vector.length),
      hint: 'make the vectors again: `kebab reset --vector-only`, then `kebab ingest`',
    });
  let sum = 0;
  for (let at = 0; at < dimensions; at++) sum += (vector[at] as number) ** 2;
  if (!(sum > 0 && sum < Infinity)) {
    const what = sum === 0 ? 'a vector is zero: it has no direction' : 'a vector has numbers that are not finite';
    throw invalidInput(what, { field: 'vector' });
  }
  const factor = 1 / Math.sqrt(sum);
  const unit = new Float32Array(dimensions);
  for (let at = 0; at < dimensions; at++) unit[at] = (vector[at] as number) * factor;
  return unit;
}
