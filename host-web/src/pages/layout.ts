import { KEBAB_VERSION, type toErrorV1 } from '@kebab/core/app';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';

/** What a page puts into the frame of all pages. */
export interface PageParts {
  readonly title: string;
  readonly texts: Texts;
  /** The item of the navigation that is the page itself. */
  readonly here?: 'search' | 'ask' | 'about' | undefined;
  /** The query in the field at the top. */
  readonly query?: string | undefined;
  /** The address of the wire object. */
  readonly jsonHref?: string | undefined;
  /** Whether the server can open files in an editor. */
  readonly hasEditor?: boolean | undefined;
  readonly main: Part;
}

/** A whole page. */
export function layout({ title, texts, here, query = '', jsonHref, hasEditor = false, main }: PageParts): Html {
  const item = (name: 'search' | 'ask' | 'about', href: string): Part =>
    !(name !== 'search' && texts.closed?.has(name)) &&
    html`<a href="${href}" ${here === name && html` aria-current="page"`}>${texts[name]}</a>`;
  return html`<!doctype html>
    <html lang="${texts.lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · kebab</title>
        <link rel="icon" href="/icon.svg" />
        <link rel="stylesheet" href="/style.css?v=${KEBAB_VERSION}" />
        <script src="/script.js?v=${KEBAB_VERSION}" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">${texts.skipToContent}</a>
        <header>
          <nav>
            <a class="logo" href="/">kebab</a
            >${item('search', '/')}${item('ask', '/ask')}${item('about', '/about')}${texts.logOutHref !== undefined && html`<a href="${texts.logOutHref}">${texts.logOut}</a>`}
          </nav>
          ${
            here !== 'ask' &&
            html`<form class="search" action="/" method="get" role="search">
              ${textField({ type: 'search', name: 'q', value: query, hint: texts.searchHint, label: texts.search })}
              <button>${texts.search}</button>
            </form>`
          }
        </header>
        <main id="main" ${hasEditor && html` data-editor`}>${main}</main>
        <footer>
          ${jsonHref !== undefined && html`<a href="${jsonHref}">${texts.json}</a>`}<span class="keys"
            >${texts.keys}</span
          >
        </footer>
      </body>
    </html> `;
}

/** Where what takes longer is put into a page. */
export const REST: Html = html`<!--rest-->`;

/** A page in two pieces, before and behind {@link REST}. */
export function framed(parts: PageParts): readonly [head: string, foot: string] {
  const [head = '', foot = ''] = String(layout(parts)).split(String(REST));
  return [head, foot];
}

/** A field in a form, with what can be written into it. */
export function textField({
  type = 'text',
  name,
  value,
  hint,
  label,
}: Readonly<Record<'name' | 'value' | 'hint' | 'label', string>> & { readonly type?: 'text' | 'search' }): Html {
  return html`<input
    type="${type}"
    id="${name}"
    name="${name}"
    value="${value}"
    placeholder="${hint}"
    aria-label="${label}"
    autocomplete="off"
    ${type === 'search' ? html`autocapitalize="off" spellcheck="false"` : html`required`}
  />`;
}

/** Items below their heading; nothing where there are none. */
export function listOf(title: Part, items: readonly Part[]): Part {
  if (items.length === 0) return null;
  return html`<section>
    <h2>${title}</h2>
    <ol class="plain">
      ${items.map((item) => html`<li>${item}</li>`)}
    </ol>
  </section>`;
}

/** A form that is one button. */
export function postButton(
  { action, name, value, label }: Readonly<Record<'action' | 'name' | 'value' | 'label', string>>,
  formToken: string,
): Html {
  return html`<form action="${action}" method="post">
    <input type="hidden" name="token" value="${formToken}" /><button class="plain" name="${name}" value="${value}">
      ${label}
    </button>
  </form>`;
}

/** A text that leads to the page about the base, for those who may open it. */
export function toAbout(text: string, texts: Texts, fragment = ''): Part {
  return texts.closed?.has('about') === true ? text : html`<a href="/about${fragment}">${text}</a>`;
}

/** A line that says something about the result. */
export function note(text: Part, kind: 'plain' | 'warn' = 'plain'): Html {
  return html`<p class="note ${kind}">${typeof text === 'string' ? withCode(text) : text}</p>`;
}

/** A sentence of kebab, whose commands stand between backticks. */
export function withCode(text: string): Part {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** What an error says, and what to do: in the language of the page where that is known. */
export function problem({ code, message, hint }: ReturnType<typeof toErrorV1>, texts: Texts): Part {
  const remedy = texts.errors[code] ?? hint;
  return [note(message, 'warn'), remedy != null && html`<p class="more">${withCode(remedy)}</p>`];
}

/** A badge for a file that differs from what was indexed; nothing for one that does not. */
export function freshnessBadge(freshness: 'fresh' | 'changed' | 'deleted', texts: Texts): Part {
  return freshness === 'fresh' ? null : html` <span class="badge">${texts[freshness]}</span>`;
}
