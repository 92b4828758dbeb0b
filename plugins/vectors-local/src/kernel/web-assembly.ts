/** A memory that WebAssembly and JavaScript share; views of `buffer` die when it grows. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB; what is in the memory stays. */
  grow(pages: number): number;
}

interface WasmApi {
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory;
  readonly Module: new (binary: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  validate(binary: Uint8Array): boolean;
}

/** What is used of WebAssembly, which TypeScript declares only for browsers. */
export const wasm: WasmApi = (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly;
