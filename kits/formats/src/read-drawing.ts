import type { DocumentBuilder } from '@kebab/plugin';
import type { Archive } from './open-archive.ts';
import { relationId, type PartRelationship } from './office-parts.ts';
import { childAt, childrenOf, descendantsOf, ownText, parseXml, type XmlElement } from './read-xml.ts';
import { displayFormats, type DisplayFormats } from './show-number.ts';

/** The lines of a text body of a drawing (`a:p`), with formulas as linear text. */
export function bodyLines(body: XmlElement): readonly string[] {
  return descendantsOf(body, 'p').flatMap((paragraph) => runText(paragraph).split('\n'));
}

function runText(element: XmlElement): string {
  if (element.name === 'br') return '\n';
  if (element.name === 't') return ownText(element);
  if (element.name === 'oMath') return mathText(element);
  return childrenOf(element)
    .map((child) => runText(child))
    .join('');
}

/** What a drawing shows, as its author describes it in its properties; programs put the name of the file there if nobody did. */
export function alternativeText(properties: XmlElement | undefined): string {
  const { descr = '' } = properties?.attributes ?? {};
  return /\.\w{3,4}$/.test(descr) ? '' : descr.trim();
}

/** Writes the SmartArt diagrams and the charts in a part of an office file, which are parts that it relates to. */
export async function writeFigures(
  document: DocumentBuilder,
  element: XmlElement,
  { archive, parts }: { readonly archive: Archive; readonly parts: readonly PartRelationship[] },
): Promise<void> {
  const related = async (figure: XmlElement, name: string): Promise<XmlElement | null> => {
    const target = parts.find(({ id }) => id === relationId(figure, name))?.target;
    return target === undefined ? null : parseXml(archive.text(target));
  };
  for (const diagram of descendantsOf(element, 'relIds')) {
    const root = await related(diagram, 'dm');
    if (root !== null) document.list(diagramLines(root));
  }
  for (const chart of descendantsOf(element, 'chart')) {
    const root = await related(chart, 'id');
    if (root === null) continue;
    const { titles, rows } = await chartTables(root);
    document.paragraph(titles.join('\n')).table(markdownTable(rows));
  }
}

/** The texts of a SmartArt diagram (`dgm:dataModel`), one for each of its shapes. */
export function diagramLines(model: XmlElement): readonly string[] {
  const points = descendantsOf(model, 'pt').filter(({ attributes }) => attributes['type'] !== 'pres');
  return points.map((point) => bodyLines(point).join(' ').trim()).filter((text) => text !== '');
}

/** What a chart says. */
export interface ChartTable {
  /** The title of the chart, those of its axes, and the labels that stand at some of its values instead of these. */
  readonly titles: readonly string[];
  /** The names of the series, then for each category its name and its values; empty if there are none. */
  readonly rows: readonly (readonly string[])[];
}

/** The titles of a chart (`c:chartSpace`) and its values, for each kind of series in it. */
export async function chartTables(chart: XmlElement): Promise<ChartTable> {
  const formats = await displayFormats();
  const labels = descendantsOf(chart, 'dLbl').map((label) => bodyLines(label).join(' ').trim());
  const ranges = descendantsOf(chart, 'datalabelsRange').map((range) =>
    [...pointsOf(range, formats).values()].join(', '),
  );
  const trends = descendantsOf(chart, 'trendline').map((trend) => ownText(childAt(trend, 'name') ?? trend).trim());
  const titles = descendantsOf(chart, 'title').map((title) => {
    const lines = bodyLines(title).join(' ').trim();
    return lines === '' ? [...pointsOf(title, formats).values()].join(' ') : lines;
  });
  const series = descendantsOf(chart, 'ser');
  const columns = series.map((one) => {
    const part = (...names: readonly string[]) =>
      pointsOf(
        names.map((name) => childAt(one, name)).find((element) => element !== undefined),
        formats,
      );
    return {
      name: [...part('tx').values()].join(' '),
      categories: part('cat', 'xVal'),
      values: part('val', 'yVal'),
    };
  });
  const places = [...new Set(columns.flatMap(({ categories, values }) => [...categories.keys(), ...values.keys()]))];
  const categoryAt = (place: number): string =>
    columns.map(({ categories }) => categories.get(place)).find(Boolean) ?? '';
  const rows = places
    .toSorted((a, b) => a - b)
    .map((place) => [categoryAt(place), ...columns.map(({ values }) => values.get(place) ?? '')]);
  const head = ['', ...columns.map(({ name }) => name)];
  const loose = series.length === 0 ? looseRows(chart) : [];
  return {
    titles: [...titles, ...labels, ...ranges, ...trends].filter((text) => text !== ''),
    rows: rows.length > 0 || head.some((name) => name !== '') ? [head, ...rows] : loose,
  };
}

/** The saved values of a part of a series by their place; those of several levels are joined. */
function pointsOf(part: XmlElement | undefined, formats: DisplayFormats): ReadonlyMap<number, string> {
  const points = new Map<number, string>();
  if (part === undefined) return points;
  const direct = childAt(part, 'v');
  if (direct !== undefined) points.set(0, ownText(direct));
  const formatCode = descendantsOf(part, 'formatCode')[0];
  const pattern = formatCode === undefined ? 'General' : ownText(formatCode);
  for (const point of descendantsOf(part, 'pt')) {
    const raw = ownText(childAt(point, 'v') ?? point).trim();
    const place = Number(point.attributes['idx'] ?? points.size);
    const value = Number(raw);
    const text =
      formatCode !== undefined && raw !== '' && Number.isFinite(value) ? formats.number(value, { pattern }) : raw;
    const known = points.get(place);
    points.set(place, known === undefined ? text : `${text} ${known}`);
  }
  return points;
}

/** The values of charts of newer kinds (`cx:chartSpace`), which have no series of their own: a row for each dimension. */
function looseRows(chart: XmlElement): readonly (readonly string[])[] {
  const dimensions = [...descendantsOf(chart, 'strDim'), ...descendantsOf(chart, 'numDim')];
  return dimensions.map((dimension) => descendantsOf(dimension, 'pt').map((point) => ownText(point).trim()));
}

/** A table as Markdown, with its first row as head; columns and rows without text are left out. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.map((row) => row.map((cell) => cellWords(cell))).filter((row) => row.some((cell) => cell !== ''));
  const width = Math.max(0, ...filled.map((row) => row.length));
  const lines = filled.map((row) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? '').join(' | ')} |`);
  const [head] = lines;
  if (head === undefined) return '';
  return [head, `|${' --- |'.repeat(width)}`, ...lines.slice(1)].join('\n');
}

function cellWords(cell: string): string {
  return cell.replaceAll(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}

/** A formula (`m:oMath`) in one line: `x^2`, `(a+b)/c`, `√(n)`. */
export function mathText(element: XmlElement): string {
  const part = (name: string): string => {
    const inner = childAt(element, name);
    return inner === undefined ? '' : mathText(inner);
  };
  const property = (name: string): string | undefined =>
    childrenOf(element).find((child) => child.name.endsWith('Pr') && childAt(child, name) !== undefined)?.name;
  const sign = (name: string, usual: string): string => {
    const properties = property(name);
    return properties === undefined ? usual : (childAt(element, properties, name)?.attributes['val'] ?? '');
  };
  switch (element.name) {
    case 't':
      return ownText(element);
    case 'f':
      return `${grouped(part('num'))}/${grouped(part('den'))}`;
    case 'sSup':
    case 'sSub':
    case 'sSubSup':
      return `${grouped(part('e'))}${index('_', part('sub'))}${index('^', part('sup'))}`;
    case 'sPre':
      return `${index('_', part('sub'))}${index('^', part('sup'))}${part('e')}`;
    case 'rad':
      return `${part('deg')}√(${part('e')})`;
    case 'nary':
      return `${sign('chr', '∫')}${index('_', part('sub'))}${index('^', part('sup'))} ${part('e')}`;
    case 'limLow':
      return `${part('e')}${index('_', part('lim'))}`;
    case 'limUpp':
      return `${part('e')}${index('^', part('lim'))}`;
    case 'func':
      return `${part('fName')} ${grouped(part('e'))}`;
    case 'd': {
      const inner = childrenOf(element, 'e').map((child) => mathText(child));
      return `${sign('begChr', '(')}${inner.join(sign('sepChr', '|'))}${sign('endChr', ')')}`;
    }
    case 'm':
      return `[${childrenOf(element, 'mr')
        .map((row) =>
          childrenOf(row)
            .map((cell) => mathText(cell))
            .join(', '),
        )
        .join('; ')}]`;
    case 'eqArr':
      return childrenOf(element, 'e')
        .map((child) => mathText(child))
        .join('; ');
    default:
      return childrenOf(element)
        .map((child) => mathText(child))
        .join('');
  }
}

function index(mark: string, text: string): string {
  return text === '' ? '' : `${mark}${grouped(text)}`;
}

/** A part of a formula in parentheses, unless it is one word or number. */
function grouped(text: string): string {
  return /^[\p{L}\p{N}\p{M}.,]*$/u.test(text) || /^\([^()]*\)$/.test(text) ? text : `(${text})`;
}
