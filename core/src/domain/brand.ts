declare const brand: unique symbol;

/** A primitive that only its own minting and parsing functions can make. Costs nothing at run time. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
