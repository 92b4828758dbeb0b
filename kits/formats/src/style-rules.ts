import type { PageElement } from './parse-page.ts';

/** The properties that hide text: an element with all that is in it, or its text except where it is made visible again. */
type Property = 'display' | 'visibility';

/** A simple selector, as `.gone`, `#menu`, `p` or `[role="note"]`. */
type Simple = readonly [kind: '#' | '.' | 'tag' | '[', name: string, value?: string | undefined];

/** Elements that a rule names, each with whether it has to be the parent of the next. */
type Path = readonly { readonly all: readonly Simple[]; readonly isParent: boolean }[];

/** What one selector of a style sheet says about whether elements are shown. */
interface StyleRule {
  readonly path: Path;
  readonly property: Property;
  readonly isShown: boolean;
  /** A rule of a greater rank wins, of equal ranks the later one. */
  readonly rank: number;
}

/** More rules than any style sheet needs to hide elements, and more work than they need on a page; beyond it, all is shown. */
const MAX_RULES = 2000;
const MAX_STEPS = 2_000_000;
/** What styles hide as a whole is shown by a script when the page is ready. */
const WHOLE_PAGE = new Set(['html', 'body']);
const HIDING = /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)/i;

/**
 * Removes from a page what its styles do not show: `display: none` and `visibility: hidden` in attributes and in `style` elements, as far as they
 * hold on a screen of any width. What another rule shows again, such as the open tab of several or a menu below the pointer, is kept, because a
 * person can open it.
 */
export function removeHidden(root: PageElement, html: string): void {
  if (!HIDING.test(html)) return;
  const rules = new StyleRules(root);
  const above: PageElement[] = [];
  const visit = (element: PageElement, isVisible: boolean): boolean => {
    if (element.name === 'head') return true;
    const shown = (property: Property): boolean | undefined =>
      inlineStyle(element, property) ??
      (WHOLE_PAGE.has(element.name) ? undefined : rules.shows(element, above, property));
    if (shown('display') === false) return false;
    const isOwnVisible = shown('visibility') ?? isVisible;
    above.push(element);
    const children = element.children.filter((child) =>
      typeof child === 'string' ? isOwnVisible : visit(child, isOwnVisible),
    );
    above.pop();
    if (children.length < element.children.length) {
      element.children.length = 0;
      for (const child of children) element.children.push(child);
    }
    return isOwnVisible || children.length > 0;
  };
  visit(root, true);
}

function inlineStyle({ attributes }: PageElement, property: Property): boolean | undefined {
  const { style } = attributes;
  return style === undefined ? undefined : shownBy(style, property)?.isShown;
}

/** The last declaration of a property, unless one is important. */
function shownBy(
  declarations: string,
  property: Property,
): { readonly isShown: boolean; readonly isImportant: boolean } | undefined {
  let last: { readonly isShown: boolean; readonly isImportant: boolean } | undefined;
  for (const declaration of declarations.split(';')) {
    const [, name = '', value = '', important] =
      /^\s*([\w-]+)\s*:\s*([\w-]+)[^!]*(!\s*important)?/i.exec(declaration) ?? [];
    if (name.toLowerCase() !== property || (last?.isImportant === true && important === undefined)) continue;
    last = { isShown: !/^(?:none|hidden|collapse)$/i.test(value), isImportant: important !== undefined };
  }
  return last;
}

/** The rules of a page's `style` elements that say whether elements are shown. */
class StyleRules {
  readonly #hiding = new Map<string, StyleRule[]>();
  readonly #showing = new Map<string, StyleRule[]>();
  #steps = 0;

  constructor(root: PageElement) {
    const rules: StyleRule[] = [];
    for (const css of sheetsOf(root)) readSheet(css, rules);
    if (rules.length > MAX_RULES) return;
    const hiding = rules.filter(({ isShown }) => !isShown);
    const showing = rules.filter(({ isShown }) => isShown);
    for (const rule of hiding)
      if (!showing.some((other) => other.rank > rule.rank && shows(other, rule))) add(this.#hiding, rule);
    for (const rule of showing) add(this.#showing, rule);
  }

  /** Whether an element below others is shown as far as the rules say; undefined if they do not say it. */
  shows(element: PageElement, above: readonly PageElement[], property: Property): boolean | undefined {
    const hides = this.#strongest(this.#hiding, { element, above, property });
    if (hides === -1 && property === 'display') return undefined;
    const shown = this.#strongest(this.#showing, { element, above, property });
    return shown === hides ? undefined : shown > hides;
  }

  #strongest(
    rules: ReadonlyMap<string, readonly StyleRule[]>,
    { element, above, property }: { element: PageElement; above: readonly PageElement[]; property: Property },
  ): number {
    let strongest = -1;
    for (const key of rules.size === 0 ? [] : keysOf(element))
      for (const rule of rules.get(key) ?? []) {
        this.#steps += rule.path.length === 1 ? 1 : above.length + 1;
        if (this.#steps > MAX_STEPS) return -1;
        if (rule.property === property && rule.rank > strongest && matches(rule.path, element, above))
          strongest = rule.rank;
      }
    return strongest;
  }
}

/** Whether a rule shows some of the elements that another hides: it names them in the same way, and something besides. */
function shows(rule: StyleRule, hiding: StyleRule): boolean {
  const own = rule.path.at(-1)?.all ?? [];
  return (
    rule.property === hiding.property &&
    (hiding.path.at(-1)?.all ?? []).every((simple) => own.some((other) => String(other) === String(simple)))
  );
}

function add(rules: Map<string, StyleRule[]>, rule: StyleRule): void {
  const [kind, name] = rule.path.at(-1)?.all[0] ?? ['['];
  const key = kind === '[' ? '*' : `${kind}${name}`;
  rules.set(key, [...(rules.get(key) ?? []), rule]);
}

function keysOf({ name, attributes }: PageElement): readonly string[] {
  const classes = (attributes['class'] ?? '').split(/\s+/).map((one) => `.${one}`);
  return ['*', `tag${name}`, `#${attributes['id'] ?? ''}`, ...new Set(classes)];
}

function matches(path: Path, element: PageElement, above: readonly PageElement[]): boolean {
  const last = path.at(-1);
  if (last === undefined || !last.all.every((simple) => hasSimple(element, simple))) return false;
  /** How many elements at the beginning of the path are above this place: each number that is possible. */
  let begun = new Set([0]);
  for (const ancestor of path.length === 1 ? [] : above) {
    const next = new Set([...begun].filter((count) => count === 0 || path[count - 1]?.isParent === false));
    for (const count of begun)
      if (count < path.length - 1 && path[count]?.all.every((simple) => hasSimple(ancestor, simple)) === true)
        next.add(count + 1);
    begun = next;
  }
  return begun.has(path.length - 1);
}

function hasSimple({ name, attributes }: PageElement, [kind, wanted, value]: Simple): boolean {
  if (kind === 'tag') return name === wanted;
  if (kind === '#') return attributes['id'] === wanted;
  if (kind === '.') return ` ${(attributes['class'] ?? '').replaceAll(/\s/g, ' ')} `.includes(` ${wanted} `);
  return value === undefined ? wanted in attributes : attributes[wanted] === value;
}

function sheetsOf(element: PageElement): readonly string[] {
  return element.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    if (child.name === 'template') return [];
    if (child.name !== 'style') return sheetsOf(child);
    return isOnScreen(child.attributes['media'] ?? '')
      ? [child.children.filter((one) => typeof one === 'string').join('')]
      : [];
  });
}

/** Whether a media query holds on every screen. */
function isOnScreen(query: string): boolean {
  return /^\s*(?:|all|(?:only\s+)?screen)\s*$/i.test(query);
}

/** When the rules of a block hold. */
type Validity = 'always' | 'sometimes' | 'never';

/** A block of a style sheet that is not closed yet. */
interface OpenBlock {
  readonly prelude: string;
  readonly validity: Validity;
  declarations: string;
}

/** Appends the rules of a style sheet. In blocks that hold on some screens only, what is shown counts, and what is hidden does not. */
function readSheet(css: string, rules: StyleRule[]): void {
  const [first = '', ...others] = css.replaceAll(/<!\[CDATA\[|\]\]>|<!--|-->/g, ' ').split('/*');
  const plain = [first, ...others.map((part) => (part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : ''))].join(
    ' ',
  );
  const open: OpenBlock[] = [];
  let from = 0;
  for (const { 0: sign, index } of plain.matchAll(/[{};]/g)) {
    const before = plain.slice(from, index);
    from = index + 1;
    const block = open.at(-1);
    if (sign === '{') {
      open.push({ prelude: before.trim(), validity: validityIn(before.trim(), block), declarations: '' });
      continue;
    }
    if (block !== undefined) block.declarations += `${before};`;
    if (sign === '}') open.pop();
    if (sign === '}' && block !== undefined && block.validity !== 'never' && HIDES_OR_SHOWS.test(block.declarations))
      addRules(block, rules);
    if (rules.length > MAX_RULES) return;
  }
}

const HIDES_OR_SHOWS = /display|visibility/i;

function validityIn(prelude: string, outer: OpenBlock | undefined): Validity {
  const around = outer?.validity ?? 'always';
  if (around === 'never') return 'never';
  if (!prelude.startsWith('@')) return outer === undefined || outer.prelude.startsWith('@') ? around : 'sometimes';
  const media = /^@media\b(.*)$/is.exec(prelude)?.[1];
  if (media !== undefined) {
    if (/^\s*(?:only\s+)?(?:print|speech)\b[^,]*$/i.test(media)) return 'never';
    return isOnScreen(media) ? around : 'sometimes';
  }
  if (/^@(?:supports|layer)\b/i.test(prelude)) return around;
  return /^@(?:container|scope)\b/i.test(prelude) ? 'sometimes' : 'never';
}

function addRules({ prelude, validity, declarations }: OpenBlock, rules: StyleRule[]): void {
  for (const property of ['display', 'visibility'] as const) {
    const shown = shownBy(declarations, property);
    if (shown === undefined || prelude.startsWith('@') || (!shown.isShown && validity !== 'always')) continue;
    for (const selector of prelude.split(',')) {
      const path = pathOf(selector, !shown.isShown);
      if (path === null) continue;
      const specificity = path.flatMap(({ all }) => all.map(([kind]) => WEIGHTS[kind])).reduce((a, b) => a + b, 0);
      const rank = ((shown.isImportant ? 1e6 : 0) + specificity) * 1e4 + rules.length;
      rules.push({ path, property, isShown: shown.isShown, rank });
    }
  }
}

const WEIGHTS = { '#': 10_000, '.': 100, '[': 100, tag: 1 } as const;
const SIMPLE = /^(?:([#.])?((?:[\w\u0080-\uFFFF-]|\\.)+)|\*|\[([\w-]+)(?:=["']?([^"'\]]*)["']?)?\])/;

/** More elements in a selector than any that hides something has. */
const MAX_PATH = 10;

/** The elements that a selector names; null if it is of another kind. Of one that shows elements, what depends on their state is left out. */
function pathOf(selector: string, isStrict: boolean): Path | null {
  const steps = selector
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/ ?([>+~]) ?/g, '$1')
    .split(/(?<=[>+~])| /);
  if (steps.length > MAX_PATH || /:(?:before|after|:)/.test(selector)) return null;
  const path: Path[number][] = [];
  for (const step of steps) {
    const combinator = /[>+~]$/.exec(step)?.[0] ?? '';
    if (isStrict && (combinator === '+' || combinator === '~')) return null;
    const all: Simple[] = [];
    let rest = combinator === '' ? step : step.slice(0, -1);
    if (rest === '') return null;
    while (rest !== '') {
      const [whole, sign, name = '', attribute, value] = SIMPLE.exec(rest) ?? [];
      if (whole === undefined && isStrict) return null;
      if (whole === undefined) break;
      const plain = name.replaceAll(/\\(.)/g, '$1');
      if (attribute !== undefined) all.push(['[', attribute.toLowerCase(), value]);
      else if (sign !== undefined) all.push([sign as '#' | '.', plain]);
      else if (name !== '') all.push(['tag', plain.toLowerCase()]);
      rest = rest.slice(whole.length);
    }
    path.push({ all, isParent: combinator === '>' });
  }
  return path;
}
