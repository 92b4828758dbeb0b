import { html, type Html } from '../html.ts';
import type { Texts } from '../texts.ts';
import { layout } from './layout.ts';

/** The page of something that did not work: what happened, and what to do. */
export function problemPage(
  { message, hint, query }: { readonly message: string; readonly hint: string | null; readonly query: string },
  texts: Texts,
): Html {
  return layout({
    title: texts.failed,
    texts,
    query,
    main: html`<div id="results">
      <h1>${texts.failed}</h1>
      <p>${message}</p>
      ${hint !== null && html`<p class="more">${hint}</p>`}
    </div>`,
  });
}
