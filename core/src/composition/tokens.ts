declare const valueType: unique symbol;

/**
 * A typed name of something in the container; `Symbol.for` keeps it equal across two installed copies of the package. A
 * token of a narrower type may stand for a parameter of a wider one.
 */
export type Token<T> = symbol & { readonly [valueType]?: () => T };

/** Makes the token of a name. Two tokens of one name are one token. */
export function token<T>(name: string): Token<T> {
  return Symbol.for(`@kebab/core/1:${name}`);
}
