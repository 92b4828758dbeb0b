declare module 'js-yaml' {
  /** A type of scalars, to which plain ones belong that `resolve` accepts; an empty one is null. */
  export class Type {
    constructor(
      tag: string,
      options: {
        readonly kind: 'scalar';
        readonly resolve: (source: string | null) => boolean;
        readonly construct: (source: string | null) => unknown;
      },
    );
  }

  /** The types of a language. */
  export interface Schema {
    extend(types: { readonly implicit: readonly Type[] }): Schema;
  }

  /** Texts, lists and maps. */
  export const FAILSAFE_SCHEMA: Schema;

  /** Parses one document. Throws for invalid syntax. */
  export function load(text: string, options: { readonly schema: Schema }): unknown;
}
