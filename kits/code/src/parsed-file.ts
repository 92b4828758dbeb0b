import type { Tree } from 'web-tree-sitter';
import { DefinitionSearch, findDefinitions, type FoundDefinitions } from './find-definitions.ts';
import type { Grammar } from './load-grammar.ts';
import { PieceCutter, type Piece } from './piece-cutter.ts';
import type { SourceText } from './source-text.ts';
import type { Syntax } from './syntax.ts';
import { DEEPEST_DEFINITION, walkUnits } from './walk-units.ts';

/** What {@link ParsedFile.parse} needs. */
export interface ParseInput {
  readonly syntax: Syntax;
  readonly grammar: Grammar;
  readonly source: SourceText;
  /** Whether the time for this file is over; asked many times a second. */
  readonly isLate: () => boolean;
}

/** A file as one grammar reads it. Whoever parsed it frees it. */
export class ParsedFile {
  readonly #input: ParseInput;
  readonly #tree: Tree;
  #errors: number | undefined;
  /** All definitions, if they had to be counted; null when the time was over before that. */
  #found: FoundDefinitions | null | undefined;

  private constructor(input: ParseInput, tree: Tree) {
    this.#input = input;
    this.#tree = tree;
  }

  /** Parses a file; null when the time was over before the end. */
  static parse(input: ParseInput): ParsedFile | null {
    const { parser } = input.grammar;
    const tree = parser.parse(input.source.text, null, { progressCallback: input.isLate });
    if (tree !== null) return new ParsedFile(input, tree);
    parser.reset();
    return null;
  }

  /** The language that the grammar reads. */
  get lang(): string {
    return this.#input.syntax.lang;
  }

  /** The number of places the grammar did not understand, or accepted against the rules of the language. */
  get errors(): number {
    this.#errors ??= this.#countErrors();
    return this.#errors;
  }

  /** The pieces that the tree cuts the file into; null when the time was over before the end. */
  pieces(workspacePath: string): readonly Piece[] | null {
    const { syntax, grammar, source, isLate } = this.#input;
    if (this.#found === null) return null;
    const known = this.#found?.definitions ?? null;
    const definitions = new DefinitionSearch({ query: grammar.query, maxDepth: DEEPEST_DEFINITION, isLate, known });
    const cutter = new PieceCutter(source);
    walkUnits({ syntax, root: this.#tree.rootNode, workspacePath, definitions, source, cutter });
    return definitions.isStopped ? null : cutter.finish();
  }

  free(): void {
    this.#tree.delete();
  }

  #countErrors(): number {
    const root = this.#tree.rootNode;
    if (root.hasError) return root.descendantsOfType('ERROR').length + 1;
    const { grammar, isLate } = this.#input;
    this.#found = findDefinitions(grammar.query, root, { maxDepth: DEEPEST_DEFINITION, isLate });
    return this.#found?.misread ?? 0;
  }
}
