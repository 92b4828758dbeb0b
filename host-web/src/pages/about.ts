import { toErrorV1, type Doctor, type SearchResponse, type SkippedFile, type Status } from '@kebab/core/app';
import { documentHref, pageHref } from '../address.ts';
import { html, type Html, type Part } from '../html.ts';
import type { IndexingState } from '../indexing.ts';
import type { Texts } from '../texts.ts';
import { operatorOf, type FacetField } from './facets.ts';
import { framed, freshnessBadge, listOf, note, postButton, problem, REST, withCode } from './layout.ts';
import { bar, barTable, wideTable } from './tables.ts';

/** What is known about indexing. */
export interface IndexingContext {
  readonly indexing: IndexingState;
  /** For the forms that index; null where files may not be indexed. */
  readonly formToken: string | null;
  readonly texts: Texts;
}

/** What the page about the base shows, in this order. */
export interface AboutParts {
  readonly status: Status;
  /** The newest documents, with the counts of all; null before the first ingest. */
  readonly newest: SearchResponse | null;
  /** The first files that are left out, and whether these are all. */
  readonly skipped: () => Promise<{ readonly skipped: readonly SkippedFile[]; readonly isSkippedWhole: boolean }>;
  /** Reads the whole database. */
  readonly doctor: () => Promise<Doctor>;
}

/** The page about the base, each part as soon as it is known: what is in it, what is new, what is left out and why, what does not work. */
export async function* aboutPage(
  read: () => Promise<AboutParts>,
  { isChecked, ...context }: IndexingContext & { readonly isChecked: boolean },
): AsyncGenerator<string> {
  const { texts } = context;
  const main = html`<h1>${texts.about}</h1>
    ${REST}`;
  const [head, foot] = framed({ title: texts.about, texts, here: 'about', jsonHref: '/about.json', main });
  yield head;
  try {
    const { status, newest, skipped, doctor } = await read();
    yield String(contents(status, newest, context));
    yield String(skippedPart(await skipped(), status, context));
    const checks = isChecked
      ? checkList(await doctor(), texts)
      : html`<p><a href="/about?checks=1#doctor">${texts.runChecks}</a></p>`;
    yield String(
      html`<h2 id="doctor">${texts.doctor}</h2>
        ${checks}`,
    );
  } catch (error) {
    yield String(html`${problem(toErrorV1(error), texts)}`);
  }
  yield foot;
}

function contents(status: Status, newest: SearchResponse | null, context: IndexingContext): Html {
  const { texts } = context;
  const { last_ingest_at: last, documents_by: by, sources } = status;
  const ingested =
    last === null
      ? texts.never
      : new Date(last).toLocaleString(texts.lang, { dateStyle: 'medium', timeStyle: 'short' });
  const counted = new Map(newest?.facets?.fields.map(({ field, values }) => [field, values]));
  const isOther = ({ value }: Counted): boolean => by?.media[value] === undefined && by?.code_lang[value] === undefined;
  const others = (counted.get('type') ?? []).filter(isOther); // office files and the like, by their extensions
  const unnamed = others.reduce((left, { count }) => left - count, by?.media['other'] ?? 0);
  return html`<dl class="figures">
      ${figure(status.documents, texts.documents)}${figure(status.chunks, texts.passages)}${figure(ingested, texts.lastIngest)}
    </dl>
    ${progressPart(status, context)}
    <div class="pair">
      ${bars(texts.fields.type, [...pairs({ ...by?.media, other: unnamed }), ...others], 'type')}
      ${bars(texts.byCodeLang, pairs(by?.code_lang), 'type')} ${bars(texts.fields.lang, pairs(by?.lang), 'lang', texts)}
      ${bars(texts.fields.year, counted.get('year') ?? [], 'year')}
      ${bars(texts.fields.tag, counted.get('tag') ?? [], 'tag')}
    </div>
    ${counted.size > 0 && newest?.facets?.complete === false && html`<p class="more">${texts.ofNewest(newest.facets.documents)}</p>`}
    ${listOf(
      texts.newest,
      (newest?.hits ?? []).map(({ source_id: sourceId, doc_path: path, date = '', freshness }) => [
        html`<time class="count">${date.slice(0, 10)}</time> <a href="${documentHref({ sourceId, path })}">${path}</a>`,
        freshnessBadge(freshness, texts),
      ]),
    )}
    <h2>${texts.fields.source}</h2>
    ${wideTable(
      [texts.fields.source, texts.folder, texts.documents],
      sources.map(({ id, root, documents: of }) => [
        html`<a href="${pageHref('/', { q: operatorOf('source', id) })}">${id}</a>`,
        root,
        bar(of / Math.max(1, status.documents), of.toLocaleString('en')),
      ]),
    )}`;
}

function skippedPart(
  { skipped, isSkippedWhole }: Awaited<ReturnType<AboutParts['skipped']>>,
  { notes }: Status,
  context: IndexingContext,
): Html {
  const { texts } = context;
  const isListed = (text: string): boolean =>
    /^and \d+ more$/.test(text) || skipped.some(({ doc_path: path }) => text.startsWith(`${path}: `));
  const inPart = notes.filter((text) => !isListed(text));
  return html`<h2 id="skipped">${texts.skipped}</h2>
    ${inPart.map((text) =>
      note(
        text.replace(/^(.*?) is read in part: (.*)$/s, (_, file: string, rest: string) => texts.readInPart(file, rest)),
        'warn',
      ),
    )}
    ${skipped.length > 0 && skippedFiles(skipped, texts)}
    ${skipped.length + inPart.length === 0 && note(texts.noneSkipped)}
    ${skipped.some(({ reason }) => reason === 'failed') && indexButton(texts.tryAgain, context)}
    ${!isSkippedWhole && note(texts.andMore)}`;
}

function checkList({ checks }: Doctor, texts: Texts): Html {
  return html`<ul class="checks">
    ${checks.map(({ name, ok, detail, hint, optional }) => {
      const { name: label, remedy } = texts.checks[name] ?? { name: name.replaceAll('_', ' '), remedy: hint };
      return html`<li class="${ok ? (optional === true ? 'none' : 'supported') : 'contradicted'}">
        <span class="mark">${ok ? (optional === true ? texts.absent : texts.works) : texts.fails}</span>
        <b>${label}</b>
        ${withCode(detail)}${hint !== undefined && html`<span class="why">${withCode(remedy ?? hint)}</span>`}
      </li>`;
    })}
  </ul>`;
}

function pairs(counts: Readonly<Record<string, number>> = {}): readonly Counted[] {
  return Object.entries(counts).map(([value, count]) => ({ value, count }));
}

/** How much of what is in the folders is indexed; while an ingest runs, the script follows it. */
export function progressPart(
  { documents, changes, queue }: Pick<Status, 'documents' | 'changes' | 'queue'>,
  context: IndexingContext,
): Html {
  const { texts, indexing } = context;
  const { added = 0, changed = 0, gone = 0 } = changes ?? {};
  if (indexing.kind === 'running')
    return html`<div id="progress" class="open">
      ${note(texts.indexing)}
      ${indexing.total > 0 && bar(indexing.done / indexing.total, `${indexing.done} / ${indexing.total}`)}
    </div>`;
  const open = added + changed;
  return html`<div id="progress" ${(open > 0 || queue !== undefined) && html` class="open"`}>
    ${indexing.failure !== null && note(indexing.failure, 'warn')}
    ${queue !== undefined && note([texts.leftToWorkers(queue.waiting, queue.running), queue.vectors === true && ` ${texts.vectorsLeft}`])}
    ${open + gone > 0 && note(texts.notIndexed(added, changed, gone), 'warn')}
    ${open > 0 && bar((documents - gone - changed) / Math.max(1, documents - gone + added), `${documents - gone - changed} / ${documents - gone + added}`)}
    ${(open + gone > 0 || documents === 0) && indexButton(texts.indexNow, context)}
  </div>`;
}

function indexButton(label: string, { formToken }: IndexingContext): Part {
  return formToken !== null && postButton({ action: '/ingest', name: 'files', value: 'all', label }, formToken);
}

function figure(value: string | number, name: string): Html {
  return html`<div>
    <dd>${typeof value === 'number' ? value.toLocaleString('en') : value}</dd>
    <dt>${name}</dt>
  </div>`;
}

type Counted = NonNullable<SearchResponse['facets']>['fields'][number]['values'][number];

const MAX_BARS = 12;

/** Counts of documents as bars, each with a link to these documents. */
function bars(title: string, counts: readonly Counted[], field: FacetField, texts?: Texts): Part {
  const sorted = counts.toSorted((a, b) => (field === 'year' ? Number(b.value) - Number(a.value) : b.count - a.count));
  const rows = sorted.filter(({ count }) => count > 0).slice(0, MAX_BARS);
  if (rows.length === 0) return null;
  const max = Math.max(...rows.map(({ count }) => count));
  const shown = rows.map(({ value, count }) => ({
    name: html`<a href="${pageHref('/', { q: operatorOf(field, value) })}">
      ${value === 'und' && texts !== undefined ? texts.unknownLanguage : value}
    </a>`,
    share: count / max,
    label: count.toLocaleString('en'),
  }));
  return html`<section>
    <h2>${title}</h2>
    ${barTable(shown)}
  </section>`;
}

function skippedFiles(skipped: readonly SkippedFile[], texts: Texts): Html {
  return wideTable(
    [texts.file, texts.reason, texts.remedy],
    skipped.map(({ source_id: sourceId, doc_path: path, reason, why, remedy }) => {
      const isInPart = reason === 'failed'; // an earlier version of it may still be indexed
      const name = `${sourceId === 'default' ? '' : `${sourceId}:`}${path}`;
      const { reason: label, remedy: toDo } = texts.skippedFor[reason] ?? { reason: undefined, remedy };
      const own = why.startsWith(`${path} `) ? why.slice(path.length + 1) : why;
      return [
        isInPart ? html`<a href="${documentHref({ sourceId, path })}">${name}</a>` : name,
        label === undefined ? withCode(own) : [label, html`<span class="why">${withCode(own)}</span>`],
        withCode(toDo),
      ];
    }),
  );
}
