import { invalidInput } from '@kebab/plugin';

/** Callbacks for parsing XML. */
export interface XmlEvents {
  readonly onOpen?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly onText?: (text: string) => void;
  readonly onClose?: (name: string) => void;
}

const MAX_DEPTH = 500;

/** Parses XML to its end, even if it is malformed. Errors: `invalid_input` for more than 500 nested elements. */
export async function readXml(xml: string, { onOpen, onText, onClose }: XmlEvents): Promise<void> {
  const { Parser } = await import('htmlparser2');
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > MAX_DEPTH) throw invalidInput(`it has more than ${MAX_DEPTH} elements in one another`);
        onOpen?.(name, attributes);
      },
      ontext: (text) => onText?.(text),
      onclosetag: (name) => {
        depth--;
        onClose?.(name);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
}

/** The name of an element or attribute without its namespace prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** An element of an XML document, without the prefixes of namespaces. */
export interface XmlElement {
  readonly name: string;
  /** By name, with and without a prefix; of two that differ only in it, the one without has its name. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

/**
 * Parses XML into a tree, whose root has no name. Of the branches of `mc:AlternateContent` it has one: the first choice that shows something,
 * otherwise the fallback. Errors: those of {@link readXml}.
 */
export async function parseXml(xml: string): Promise<XmlElement> {
  type Open = XmlElement & { readonly children: (XmlElement | string)[] };
  const root: Open = { name: '', attributes: {}, children: [] };
  const stack = [root];
  await readXml(xml, {
    onOpen: (name, raw) => {
      const attributes: Record<string, string> = {};
      for (const [key, value] of Object.entries(raw)) attributes[localName(key)] ??= value;
      stack.push({ name: localName(name), attributes: { ...attributes, ...raw }, children: [] });
    },
    onText: (text) => stack.at(-1)?.children.push(text),
    onClose: () => {
      const element = stack.length > 1 ? stack.pop() : undefined;
      if (element === undefined) return;
      stack.at(-1)?.children.push(...(element.name === 'AlternateContent' ? oneBranch(element) : [element]));
    },
  });
  return root;
}

/** Elements that show something by themselves: texts, pictures, charts. */
const SHOWN = new Set(['t', 'graphicData', 'blip', 'imagedata', 'oMath']);

function oneBranch({ children }: XmlElement): XmlElement['children'] {
  const branches = children.filter((child) => typeof child !== 'string');
  const shows = (element: XmlElement): boolean =>
    SHOWN.has(element.name) || childrenOf(element).some((child) => shows(child));
  const choice = branches.find((branch) => branch.name === 'Choice' && shows(branch));
  return (choice ?? branches.find(({ name }) => name === 'Fallback') ?? branches[0])?.children ?? [];
}

/** The elements in an element, all or those of a name. */
export function childrenOf({ children }: XmlElement, name?: string): readonly XmlElement[] {
  return children.filter(
    (child): child is XmlElement => typeof child !== 'string' && (name ?? child.name) === child.name,
  );
}

/** The first element below another along a path of names; undefined if there is none. */
export function childAt(element: XmlElement, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((inner, name) => inner && childrenOf(inner, name)[0], element);
}

/** All elements of a name below an element, in their order, but none inside another one. */
export function descendantsOf(element: XmlElement, name: string): readonly XmlElement[] {
  return childrenOf(element).flatMap((child) => (child.name === name ? [child] : descendantsOf(child, name)));
}

/** The text directly in an element. */
export function ownText({ children }: XmlElement): string {
  return children.filter((child) => typeof child === 'string').join('');
}

/** The text of all elements `t` below an element. */
export function textOf(element: XmlElement): string {
  if (element.name === 't') return ownText(element);
  return childrenOf(element)
    .map((child) => textOf(child))
    .join('');
}
