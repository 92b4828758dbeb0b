import { assertChunks, DEFAULT_POLICY } from '@kebab/core/testing';
import { findDefinitions, type FoundDefinition } from '../find-definitions.ts';
import { loadGrammar } from '../load-grammar.ts';
import type { Syntax, SyntaxNode } from '../syntax.ts';
import type { PackUnderTest } from './pack-under-test.ts';
import type { SampledFile } from './sample-files.ts';

/** What {@link unnamedDefinitions} found in one file. */
export interface DefinitionCheck {
  /** How many definitions the grammar's own query reports. */
  readonly reported: number;
  /** Those that stand where units stand, in a chunk whose symbol lacks their name: `<path>:<line> <name> in <symbol>`. */
  readonly unnamed: readonly string[];
}

/**
 * Asks the grammar's own query (`tags` of the syntax; its supplement when there are none) for the definitions of a file and looks for each in the chunks. One
 * that lies inside something which is neither container, wrapper nor looked through (a function's body, an argument)
 * belongs to the unit around it, as does the value of another definition. Fails when the chunks do not tile the file.
 */
export async function unnamedDefinitions(
  pack: PackUnderTest,
  syntax: Syntax,
  { path, bytes }: SampledFile,
): Promise<DefinitionCheck> {
  const { document, chunks } = await pack.read(path, bytes);
  assertChunks(document, chunks, { policy: DEFAULT_POLICY, overlap: 'none' });
  const { parser, query } = await loadGrammar(syntax.tags.length === 0 ? syntax : { ...syntax, supplement: '' });
  const tree = parser.parse(document.text);
  if (tree === null) throw new Error(`${path} was not parsed`);
  try {
    const limits = { maxDepth: Number.MAX_SAFE_INTEGER >>> 0, isLate: () => false };
    const definitions =
      findDefinitions(query, tree.rootNode, limits)?.definitions ?? new Map<number, FoundDefinition>();
    const through = new Set([...syntax.containers, ...syntax.wrappers, ...syntax.lookThrough]);
    const unnamed = [...definitions.values()].filter(isWhole).flatMap((definition) => {
      if (definitions.has(definition.node.parent?.id ?? -1)) return [];
      const { startIndex, startPosition } = definition.name;
      const chunk = chunks.find(({ start, end }) => start <= startIndex && startIndex < end);
      const symbol = (chunk?.symbol ?? '').replace(/ \[part \d+\/\d+\]$/, '');
      const name = definition.name.text.replaceAll(/['"`]/g, '');
      if (
        symbol.endsWith(name) ||
        symbol.split(syntax.separator).includes(name) ||
        !standsAsUnit(definition.node, through)
      )
        return [];
      return [`${path}:${startPosition.row + 1} ${name} in ${symbol}`];
    });
    return { reported: definitions.size, unnamed };
  } finally {
    tree.delete();
  }
}

/** A type that is only mentioned (`class A;`, `enum e x;`) is reported too, and a parser's guess at text it did not understand. */
function isWhole({ node, name }: FoundDefinition): boolean {
  if (/^(struct|class|union|enum)_specifier$/.test(node.type)) return node.childForFieldName('body') !== null;
  return !node.hasError && !name.hasError;
}

function standsAsUnit(node: SyntaxNode, through: ReadonlySet<string>): boolean {
  for (let at = node.parent; at !== null && at.parent !== null; at = at.parent) if (!through.has(at.type)) return false;
  return true;
}
