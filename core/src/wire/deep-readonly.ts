/** `T` with every property and array in it readonly, at every depth; `unknown` stays what it is. */
export type DeepReadonly<T> = unknown extends T ? T : { readonly [K in keyof T]: DeepReadonly<T[K]> };
