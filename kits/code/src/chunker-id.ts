/** Grows with every change of where a code chunker cuts. */
export const CHUNKER_VERSION = 1;

/** The id, and the label, of the chunker of a language: `code-rust-ast-v1`. */
export function chunkerIdOf(lang: string): string {
  return `code-${lang}-ast-v${CHUNKER_VERSION}`;
}
