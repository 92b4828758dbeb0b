import { assertChunks, DEFAULT_POLICY } from '@kebab/plugin/testing';
import { findDefinitions, type FoundDefinition } from '../find-definitions.ts';
import { loadGrammar, LONG_LINE, type Grammar } from '../code-extractor.ts';
import type { Syntax, SyntaxNode } from '../language-pack.ts';
import type { PackUnderTest, SampledFile } from './pack-under-test.ts';

/** How to name the definitions that a grammar reports. */
export interface DefinitionRules {
  readonly syntax: Syntax;
  /** The last part of a definition's symbol, by default the captured name; null if it is not a unit. */
  readonly nameOf?: (definition: FoundDefinition) => string | null;
}

/** What {@link unnamedDefinitions} found. */
export interface DefinitionCheck {
  /** How many definitions in positions of units the grammar's own query reports. */
  readonly wanted: number;
  /** Those of them in a chunk whose symbol lacks their name: `<path>:<line> <name> in <symbol>`. */
  readonly unnamed: readonly string[];
}

type Definitions = ReadonlyMap<number, FoundDefinition>;

/**
 * Runs the grammar's own query (`tags` of the syntax, or its supplement if there are none) on files and searches each definition in the
 * chunks, except those of long lines, which share a block. The value of another definition is searched under that one's name. Fails if the chunks do not tile a file, or one exceeds its
 * limit.
 */
export async function unnamedDefinitions(
  pack: PackUnderTest,
  files: readonly SampledFile[],
  rules: DefinitionRules,
): Promise<DefinitionCheck> {
  const { syntax } = rules;
  const grammar = await loadGrammar(syntax);
  const tags = syntax.tags.length === 0 ? grammar : await loadGrammar({ ...syntax, supplement: '' });
  const unnamed: string[] = [];
  let wanted = 0;
  for (const { path, bytes } of files) {
    const { document, chunks } = await pack.read(path, bytes);
    assertChunks(document, chunks, { policy: DEFAULT_POLICY, overlap: 'none' });
    const tree = grammar.parser.parse(document.text);
    if (tree === null) throw new Error(`${path} was not parsed`);
    const definitions = definitionsIn(tags, tree.rootNode);
    const units = wantedUnits(definitions, { rules, known: definitionsIn(grammar, tree.rootNode) }).filter(
      ({ at }) => lineLength(document.text, at) <= LONG_LINE,
    );
    wanted += units.length;
    for (const { name, at, line } of units) {
      const chunk = chunks.find(({ start, end }) => start <= at && at < end);
      const symbol = (chunk?.symbol ?? '').replace(/ \[part \d+\/\d+\]$/, '');
      if (!isNamed(symbol, name, syntax.separator)) unnamed.push(`${path}:${line} ${name} in ${symbol}`);
    }
    tree.delete();
  }
  return { wanted, unnamed };
}

/** The length of the line that contains an offset. */
function lineLength(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return (end === -1 ? text.length : end) - text.lastIndexOf('\n', at - 1) - 1;
}

function definitionsIn({ query }: Grammar, root: SyntaxNode): Definitions {
  const limits = { maxDepth: Number.MAX_SAFE_INTEGER >>> 0, isLate: () => false };
  return findDefinitions(query, root, limits)?.definitions ?? new Map<number, FoundDefinition>();
}

/** A definition that must be the symbol of the chunk that contains its name. */
interface WantedUnit {
  readonly name: string;
  readonly at: number;
  readonly line: number;
}

/** The reported definitions that are units according to the rules. */
function wantedUnits(
  reported: Definitions,
  { rules, known }: { readonly rules: DefinitionRules; readonly known: Definitions },
): readonly WantedUnit[] {
  const { syntax, nameOf = ({ name }) => name.text } = rules;
  return [...reported.values()].filter(isWhole).flatMap((definition) => {
    const parent = definition.node.parent?.id ?? -1;
    if (reported.has(parent)) return []; // the parent is searched itself
    const outer = known.get(parent) ?? definition;
    const named = outer.name.namedChildCount === 0 ? outer : definition; // a supplement may capture a whole declarator
    const name = nameOf(named)?.replaceAll(/['"`]/g, '');
    if (name === undefined || !standsAsUnit(outer.node, syntax, known)) return [];
    const { startIndex, startPosition } = named.name;
    return [{ name, at: startIndex, line: startPosition.row + 1 }];
  });
}

/**
 * Filters reported definitions that are not complete: a type that is only mentioned (`class A;`, `enum e x;`), one without a name (`enum :
 * int { … }`), and a parser's guess after an error.
 */
function isWhole({ node, name }: FoundDefinition): boolean {
  if (name.startIndex === name.endIndex) return false;
  if (/^(struct|class|union|enum)_specifier$/.test(node.type)) return node.childForFieldName('body') !== null;
  return !node.hasError && !name.hasError;
}

/**
 * Whether everything around a definition is searched for definitions, or is the definition of a container, or a wrapper of the definition.
 * A definition inside anything else (a function's body, an argument) belongs to the enclosing unit.
 */
function standsAsUnit(node: SyntaxNode, syntax: Syntax, known: Definitions): boolean {
  let isDefined = true; // the node below, or what it wraps
  for (let at = node.parent; at !== null && at.parent !== null; at = at.parent) {
    const { type } = at;
    const container = known.get(at.id);
    const isContainer = syntax.containers.includes(type) || syntax.containers.includes(`@${container?.kind}`);
    if (container !== undefined && isContainer) isDefined = true;
    else if (!syntax.wrappers.includes(type) || !isDefined) {
      if (!syntax.lookThrough.includes(type)) return false;
      isDefined = false;
    }
  }
  return true;
}

function isNamed(symbol: string, name: string, separator: string): boolean {
  return symbol === name || symbol.endsWith(separator + name) || symbol.split(separator).includes(name);
}
