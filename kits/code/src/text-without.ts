import type { SyntaxNode } from './syntax.ts';

/** The source of a node on one line, without the outermost nodes of a type inside it: `Foo` for `Foo<T, U>`. */
export function textWithout(node: SyntaxNode, type: string): string {
  const source = node.text;
  if (node.namedChildCount === 0) return source; // a name alone, as most are
  let text = '';
  let at = node.startIndex;
  for (const { startIndex, endIndex } of node.descendantsOfType(type)) {
    if (startIndex < at) continue; // inside one that is left out already
    text += source.slice(at - node.startIndex, startIndex - node.startIndex);
    at = endIndex;
  }
  return (text + source.slice(at - node.startIndex)).replaceAll(/\s+/g, ' ').trim();
}
