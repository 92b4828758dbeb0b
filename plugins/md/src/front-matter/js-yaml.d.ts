declare module 'js-yaml' {
  interface ScalarType {
    readonly tag: string;
  }

  /** A type of scalars, to which plain ones belong that `resolve` accepts; an empty one is null. */
  export const Type: new (
    tag: string,
    options: {
      readonly kind: 'scalar';
      readonly resolve: (source: string | null) => boolean;
      readonly construct: (source: string | null) => unknown;
    },
  ) => ScalarType;

  /** The types of a language. */
  export interface Schema {
    extend(types: { readonly implicit: readonly ScalarType[] }): Schema;
  }

  /** Texts, lists and maps. */
  export const FAILSAFE_SCHEMA: Schema;

  /** Parses one document. Throws for invalid syntax. */
  export function load(text: string, options: { readonly schema: Schema }): unknown;
}
