import type { DefaultTreeAdapterTypes } from 'parse5';
import { removeHidden } from './style-rules.ts';

/** An element of a page, with its elements and texts in order. */
export interface PageElement {
  /** In lower case. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (PageElement | string)[];
  /** What kinds of elements are below it: a sum of {@link HOLDS}. */
  holds: number;
}

/** Elements that begin and end a line of their own. */
export const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p plaintext pre search section summary table tbody td ' +
    'tfoot th thead tr ul xmp'
  ).split(' '),
);

/** Kinds of elements of which each ancestor knows that it has them, as bits. */
export const HOLDS = { block: 1, heading: 2, table: 4, preformatted: 8, math: 16 } as const;

function kindsOf(name: string): number {
  return (
    (BLOCKS.has(name) ? HOLDS.block : 0) |
    (/^h[1-6]$/.test(name) ? HOLDS.heading : 0) |
    (name === 'table' ? HOLDS.table : 0) |
    (name === 'pre' ? HOLDS.preformatted : 0) |
    (name === 'math' ? HOLDS.math : 0)
  );
}

/** Deeper elements become siblings, as in browsers (they stop at 512), so that a reader may recurse. */
const MAX_DEPTH = 400;

/**
 * Parses a page as browsers do, by the HTML Standard: start and end tags may be missing or misplaced, and no text is lost. With `isXhtml`, an
 * element may close itself (`<script/>`), as in XHTML files and books. What styles hide is left out. Takes linear time. The result is the
 * root element.
 */
export async function parsePage(
  html: string,
  { isXhtml = false }: { readonly isXhtml?: boolean | undefined } = {},
): Promise<PageElement> {
  const root = (isXhtml ? null : await parseByStandard(html)) ?? (await parseTags(html));
  removeHidden(root, html);
  return root;
}

/** Null for a page whose unclosed formatting makes the standard's tree much larger than the page, as it is repeated in each paragraph. */
async function parseByStandard(html: string): Promise<PageElement | null> {
  const { parse, defaultTreeAdapter } = await import('parse5');
  const max = 1000 + html.length / 3; // an element that is not repeated has at least three characters
  let count = 0;
  let isTooLarge = false;
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement: (name, namespace, attributes) => {
      isTooLarge = ++count > max;
      if (isTooLarge) throw new RangeError('the tree is larger than the page');
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
  };
  const page = ((): DefaultTreeAdapterTypes.Document | null => {
    try {
      return parse(html, { treeAdapter });
    } catch (error) {
      if (isTooLarge) return null;
      throw error;
    }
  })();
  if (page === null) return null;
  const tree = new Tree();
  const stack: { readonly nodes: readonly DefaultTreeAdapterTypes.ChildNode[]; at: number }[] = [
    { nodes: page.childNodes, at: 0 },
  ];
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const node = level.nodes[level.at++];
    if (node === undefined) {
      stack.pop();
      if (stack.length > 0) tree.close();
    } else if ('value' in node) tree.text(node.value);
    else if ('tagName' in node) {
      tree.open(node.tagName.toLowerCase(), Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])));
      stack.push({ nodes: 'content' in node ? node.content.childNodes : node.childNodes, at: 0 });
    }
  }
  return tree.root;
}

async function parseTags(html: string): Promise<PageElement> {
  const { Parser } = await import('htmlparser2');
  const tree = new Tree();
  /** Treats elements that are too deep as empty ones, because the time for the parser's stack is quadratic. */
  class FlatParser extends Parser {
    #isTooDeep = false;

    override onopentagname(start: number, end: number): void {
      this.#isTooDeep = tree.depth >= MAX_DEPTH;
      super.onopentagname(start, end);
    }

    override onclosetag(start: number, end: number): void {
      this.#isTooDeep = false;
      super.onclosetag(start, end);
    }

    protected override isVoidElement(name: string): boolean {
      return this.#isTooDeep || super.isVoidElement(name);
    }
  }
  const parser = new FlatParser(
    {
      onopentag: (name, attributes) => tree.open(name, attributes),
      ontext: (text) => tree.text(text),
      onclosetag: () => tree.close(),
    },
    { recognizeSelfClosing: true, recognizeCDATA: true },
  );
  parser.write(html);
  parser.end();
  return tree.root;
}

/** Builds a tree from tags in document order. */
class Tree {
  readonly root: PageElement = { name: '', attributes: {}, children: [], holds: 0 };
  readonly #open: PageElement[] = [this.root];

  /** The number of open elements. */
  get depth(): number {
    return this.#open.length;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const element: PageElement = { name, attributes, children: [], holds: 0 };
    this.#open[Math.min(this.#open.length, MAX_DEPTH) - 1]?.children.push(element);
    this.#open.push(element);
  }

  text(text: string): void {
    this.#open.at(-1)?.children.push(text);
  }

  close(): void {
    const element = this.#open.pop();
    const parent = this.#open[Math.min(this.#open.length, MAX_DEPTH) - 1];
    if (element === undefined || parent === undefined) return;
    parent.holds |= element.holds | kindsOf(element.name);
  }
}
