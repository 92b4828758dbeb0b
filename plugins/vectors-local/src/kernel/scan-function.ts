import { KERNEL_BINARY } from './kernel-binary.generated.ts';
import { wasm, type WasmMemory } from './web-assembly.ts';

/**
 * Writes the dot product of a query with each of some rows of codes. All are byte offsets into one memory but `rows`: the query
 * holds `stride` int16, a row `stride` int8, a score is an int32; `stride` is a multiple of 32, `query` and `scores` of 4.
 */
export type ScanFunction = (query: number, codes: number, rows: number, stride: number, scores: number) => void;

/** The scan as WebAssembly over a memory; undefined where the machine has no SIMD instructions. */
export function wasmScan(memory: WasmMemory): ScanFunction | undefined {
  const binary = Buffer.from(KERNEL_BINARY, 'base64');
  if (!wasm.validate(binary)) return undefined;
  const instance = new wasm.Instance(new wasm.Module(binary), { kernel: { memory } });
  return instance.exports['scan'] as ScanFunction;
}

/** The same scan in JavaScript, about twenty times slower. */
export function plainScan(memory: WasmMemory): ScanFunction {
  return (query, codes, rows, stride, scores) => {
    const left = new Int16Array(memory.buffer, query, stride);
    const right = new Int8Array(memory.buffer, codes, rows * stride);
    const sums = new Int32Array(memory.buffer, scores, rows);
    for (let row = 0, at = 0; row < rows; row++) {
      let sum = 0;
      for (let dimension = 0; dimension < stride; dimension++, at++)
        sum += (left[dimension] as number) * (right[at] as number);
      sums[row] = sum;
    }
  };
}
