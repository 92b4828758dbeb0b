import type { Facets } from '@kebab/core/app';
import { pageHref } from '../address.ts';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';

/** A property of documents by which searches are narrowed. */
export type FacetField = Facets['fields'][number]['field'];

/** The values that narrow a search, with the number of documents each leaves; each is a link that changes the operators of the query. */
export function facetsMarkup(query: string, { documents, complete, fields }: Facets, texts: Texts): Part {
  const useful = fields.filter(
    ({ field, values }) => operators(field).test(query) || values.length > 1 || (values[0]?.count ?? 0) < documents,
  );
  if (useful.length === 0) return null;
  return html`<details class="outline facets">
    <summary>${texts.narrow}</summary>
    ${useful.map(({ field, values }) => facet(query, { field, values }, texts))}
    ${!complete && html`<p class="more">${texts.countedBest(documents)}</p>`}
  </details>`;
}

/** The values of a field that is not set; of one that is, the chosen value, which the link takes away. */
function facet(query: string, { field, values }: Facets['fields'][number], texts: Texts): Html {
  const chosen = query.match(operators(field));
  const rest = query.replaceAll(operators(field), ' ').replaceAll(/\s+/g, ' ').trim();
  const item = (value: string, count: string | number): Html => {
    const to = chosen !== null ? rest : `${rest} ${operatorOf(field, value)}`.trim();
    return html`<li>
      <a href="${pageHref('/', { q: to })}" ${chosen !== null && html` aria-current="true"`}>${value}</a>
      <span class="count">${count}</span>
    </li>`;
  };
  return html`<section aria-label="${texts.fields[field]}">
    <h2>${texts.fields[field]}</h2>
    <ul>
      ${chosen !== null ? item(chosen.join(' '), '×') : values.map(({ value, count }) => item(value, count))}
    </ul>
  </section>`;
}

/** The operator of a value in the language of queries. */
export function operatorOf(field: FacetField | 'path', value: string): string {
  if (field === 'year') return `since:${value} until:${value}`;
  return /^[\p{L}\p{N}_.+#/-]+$/u.test(value) ? `${field}:${value}` : `${field}:"${value.replaceAll('"', '')}"`;
}

function operators(field: FacetField): RegExp {
  const names = field === 'year' ? 'since|until' : field;
  return new RegExp(String.raw`(?<=^|\s)(?:${names}):(?:"[^"]*"|[^\s"]+)(?=\s|$)`, 'gu');
}
