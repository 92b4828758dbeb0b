import type { Doctor, SchemaV1, SkippedFile, SourceList, Status } from '@kebab/core/app';
import { documentHref } from '../address.ts';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';
import { layout, note } from './layout.ts';

/** The state of a knowledge base. */
export interface AboutPage {
  readonly status: Status;
  readonly schema: SchemaV1;
  readonly sources: SourceList;
  /** The first files that are left out. */
  readonly skipped: readonly SkippedFile[];
  readonly isSkippedWhole: boolean;
  readonly doctor: Doctor;
}

/** The page about the base: what is in it, what is left out and why, and what does not work. */
export function aboutPage({ status, schema, sources, skipped, isSkippedWhole, doctor }: AboutPage, texts: Texts): Html {
  const { stats } = schema;
  const ingested = status.last_ingest_at?.replace('T', ' ').slice(0, 16) ?? texts.never;
  return layout({
    title: texts.about,
    texts,
    here: 'about',
    jsonHref: '/about.json',
    main: html`<h1>${texts.about}</h1>
      <dl class="figures">
        ${figure(status.documents, texts.documents)}${figure(status.chunks, texts.passages)}${figure(ingested, texts.lastIngest)}
      </dl>
      ${status.notes.map((text) => note(text, 'warn'))}
      <div class="pair">
        ${bars(texts.byType, stats.media_breakdown)}${bars(texts.byLanguage, { ...stats.lang_breakdown, ...stats.code_lang_breakdown })}
      </div>
      <h2>${texts.sources}</h2>
      ${table(
        [texts.source, texts.folder, texts.documents, texts.state],
        sources.sources.map(({ id, root, documents, state }) => [id, root, documents, state]),
      )}
      <h2>${texts.skipped}</h2>
      ${skipped.length === 0 ? note(texts.noneSkipped) : skippedTable(skipped, texts)}
      ${!isSkippedWhole && note(texts.andMore)}
      <h2>${texts.doctor}</h2>
      <ul class="checks">
        ${doctor.checks.map(
          ({ name, ok, detail, hint, optional }) =>
            html`<li class="${ok ? (optional === true ? 'none' : 'supported') : 'contradicted'}">
              <span class="mark">${ok ? (optional === true ? texts.absent : texts.works) : texts.fails}</span>
              <b>${name}</b> ${detail}${hint !== undefined && html`<span class="why">${hint}</span>`}
            </li>`,
        )}
      </ul>`,
  });
}

function figure(value: string | number, name: string): Html {
  return html`<div>
    <dd>${typeof value === 'number' ? value.toLocaleString('en') : value}</dd>
    <dt>${name}</dt>
  </div>`;
}

/** Counts as bars, largest first. */
function bars(title: string, counts: Readonly<Record<string, number>>): Part {
  const rows = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 12);
  const max = rows[0]?.[1] ?? 1;
  return html`<section>
    <h2>${title}</h2>
    <table class="bars">
      ${rows.map(
        ([name, count]) =>
          html`<tr>
            <th>${name}</th>
            <td><meter min="0" max="${max}" value="${count}">${count}</meter></td>
            <td class="count">${count}</td>
          </tr>`,
      )}
    </table>
  </section>`;
}

function table(head: readonly string[], rows: readonly (readonly Part[])[]): Html {
  return html`<div class="wide" tabindex="0">
    <table>
      <thead>
        <tr>
          ${head.map((text) => html`<th>${text}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function skippedTable(skipped: readonly SkippedFile[], texts: Texts): Html {
  return table(
    [texts.file, texts.reason, texts.remedy],
    skipped.map(({ source_id: sourceId, doc_path: path, reason, why, remedy }) => {
      const isInPart = reason === 'failed'; // an earlier version of it may still be indexed
      const name = `${sourceId === 'default' ? '' : `${sourceId}:`}${path}`;
      return [isInPart ? html`<a href="${documentHref({ sourceId, path })}">${name}</a>` : name, why, remedy];
    }),
  );
}
