import { describe, expect, it } from 'vitest';
import { DefinitionSearch, type DefinitionSearchInit } from '../src/find-definitions.ts';
import { loadGrammar, type Grammar } from '../src/code-extractor.ts';
import type { SyntaxNode } from '../src/language-pack.ts';
import { exampleSyntax } from './example-syntax.ts';

const NESTED = 'mod a { mod b { mod c { fn f() {} } } }\n';

async function parse(text: string): Promise<{ readonly root: SyntaxNode; readonly grammar: Grammar }> {
  const grammar = await loadGrammar(exampleSyntax);
  const tree = grammar.parser.parse(text);
  if (tree === null) throw new Error('it was not parsed');
  return { root: tree.rootNode, grammar };
}

function search({ query }: Grammar, options: Partial<DefinitionSearchInit> = {}): DefinitionSearch {
  return new DefinitionSearch({ query, maxDepth: 28, isLate: () => false, known: null, ...options });
}

/** The modules and functions of a tree from the outermost to the innermost, one in the other. */
function nested(root: SyntaxNode): readonly SyntaxNode[] {
  return root.descendantsOfType(['mod_item', 'function_item']);
}

describe('searching a tree for definitions', () => {
  it('finds definitions some levels below a node, and deeper ones on request', async () => {
    const { root, grammar } = await parse(NESTED);
    const [a, b, c, f] = nested(root);
    if (a === undefined || b === undefined || c === undefined || f === undefined) throw new Error('it is not nested');
    const definitions = search(grammar);
    expect(definitions.at(a)).toBeUndefined();
    expect(definitions.below(root, 0)).toBeGreaterThan(2);
    expect([a, b, c, f].map((node) => definitions.at(node)?.name.text)).toEqual(['a', 'b', undefined, undefined]);
    definitions.below(b, 3);
    expect([a, b, c, f].map((node) => definitions.at(node)?.name.text)).toEqual(['a', 'b', 'c', 'f']);
  });

  it('searches no deeper than its limit', async () => {
    const { root, grammar } = await parse(NESTED);
    const definitions = search(grammar, { maxDepth: 1 });
    definitions.below(root, 0);
    definitions.below(root, 1);
    expect(nested(root).map((node) => definitions.at(node)?.name.text)).toEqual(['a', undefined, undefined, undefined]);
  });

  it('stops at the timeout, and reports it', async () => {
    const { root, grammar } = await parse(`fn f() {}\n${'struct A;\n'.repeat(20_000)}`); // enough that the timeout is checked
    const definitions = search(grammar, { isLate: () => true });
    expect(definitions.isStopped).toBe(false);
    definitions.below(root, 0);
    expect(definitions.isStopped).toBe(true);
    expect(nested(root).map((node) => definitions.at(node))).toEqual([undefined]);
  });
});
