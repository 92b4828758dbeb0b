import { all, createLowlight } from 'lowlight';

/** A part of a line of source code, with the colour of its token, if it has one. */
export interface Token {
  readonly text: string;
  readonly colour: Colour | null;
}

/** The names of colours in the style sheet. */
type Colour = 'word' | 'name' | 'text' | 'value' | 'remark';

/** Splits source code into lines of tokens. `names`: of the language, or extensions of its files; the first known one counts. */
export type Colouring = (code: string, names: readonly (string | null | undefined)[]) => readonly (readonly Token[])[];

const COLOURS: Readonly<Record<Colour, string>> = {
  word: 'keyword literal meta selector-tag tag name built_in operator doctag',
  name: 'title class function section type attr attribute property selector-class selector-id symbol',
  text: 'string regexp char link addition template-tag',
  value: 'number variable template-variable params bullet',
  remark: 'comment quote deletion',
};
const BY_KIND: ReadonlyMap<string, Colour> = new Map(
  Object.entries(COLOURS).flatMap(([colour, kinds]) =>
    kinds.split(' ').map((kind) => [`hljs-${kind}`, colour as Colour] as const),
  ),
);

/** Grammars are regular expressions, of which some take quadratic time for hostile code: it is read in pieces, until the time is up. */
const MAX_PIECE = 6000;
const MAX_MS = 300;

const grammars = createLowlight(all);

/** Colours source code by the grammars of highlight.js; code in an unknown language, or that takes too long, has no colours. */
export const colour: Colouring = (code, names) => {
  const language = names.find((name): name is string => typeof name === 'string' && grammars.registered(name));
  const end = performance.now() + MAX_MS;
  const lines: Token[][] = [[]];
  for (const piece of piecesOf(code)) {
    const isInTime = language !== undefined && piece.length <= 2 * MAX_PIECE && performance.now() < end;
    for (const token of isInTime ? tokensOf(grammars.highlight(language, piece)) : [{ text: piece, colour: null }]) {
      const [first = '', ...rest] = token.text.split('\n');
      lines.at(-1)?.push({ ...token, text: first });
      for (const text of rest) lines.push([{ ...token, text }]);
    }
  }
  return lines;
};

/** Pieces that end before a line that is not indented, where usually no token is open, or at least before a line. */
function piecesOf(code: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  while (code.length - from > MAX_PIECE) {
    const window = code.slice(from, from + MAX_PIECE);
    const outer = [...window.matchAll(/\n\n(?=\S)/g)].at(-1);
    const line = code.indexOf('\n', from + Math.max(0, window.lastIndexOf('\n')));
    const end = outer === undefined ? (line === -1 ? code.length : line + 1) : from + outer.index + 2;
    pieces.push(code.slice(from, end));
    from = end;
  }
  return [...pieces, code.slice(from)];
}

type Tree = ReturnType<typeof grammars.highlight>;

function tokensOf(tree: Tree): readonly Token[] {
  const tokens: Token[] = [];
  const visit = (nodes: Tree['children'], outer: Colour | null): void => {
    for (const node of nodes) {
      if (node.type === 'text') tokens.push({ text: node.value, colour: outer });
      if (node.type !== 'element') continue;
      const [kind] = node.properties['className'] as readonly string[];
      visit(node.children, BY_KIND.get(kind ?? '') ?? outer);
    }
  };
  visit(tree.children, null);
  return tokens;
}
