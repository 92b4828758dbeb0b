import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtins } from '@kebab/builtins';
import { bundledPlugin, type App, type DocumentId } from '@kebab/core/app';
import docx from '@kebab/plugin-docx/package.json' with { type: 'json' };
import eml from '@kebab/plugin-eml/package.json' with { type: 'json' };
import epub from '@kebab/plugin-epub/package.json' with { type: 'json' };
import pptx from '@kebab/plugin-pptx/package.json' with { type: 'json' };
import xlsx from '@kebab/plugin-xlsx/package.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UserHome } from './user-home.ts';

const CASES = fileURLToPath(new URL('../../shared/cases/reading/', import.meta.url));
const hasCases = existsSync(path.join(CASES, 'cases.json'));

/** What a person expects of one file; the README of the cases describes each member. */
interface ReadingCase {
  readonly kind: string;
  readonly file: string;
  readonly find?: readonly string[];
  readonly absent?: readonly string[];
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly text?: readonly string[];
  readonly notText?: readonly string[];
  readonly once?: readonly string[];
  readonly match?: readonly string[];
  readonly notMatch?: readonly string[];
  readonly headings?: readonly string[];
  readonly notHeadings?: readonly string[];
  readonly cite?: readonly ({ readonly query: string } & Readonly<Record<string, unknown>>)[];
  readonly told?: string;
}

const cases: readonly ReadingCase[] = hasCases
  ? (JSON.parse(readFileSync(path.join(CASES, 'cases.json'), 'utf8')) as { readonly cases: readonly ReadingCase[] })
      .cases
  : [];

/** The optional formats as built-in ones, which is how they are read by the extraction processes here. */
const PARTS = [
  bundledPlugin(docx, () => import('@kebab/plugin-docx')),
  bundledPlugin(eml, () => import('@kebab/plugin-eml')),
  bundledPlugin(epub, () => import('@kebab/plugin-epub')),
  bundledPlugin(pptx, () => import('@kebab/plugin-pptx')),
  bundledPlugin(xlsx, () => import('@kebab/plugin-xlsx')),
];

const squeezed = (text: string): string => text.replaceAll(/\s+/gu, ' ');

describe.skipIf(!hasCases)('files as people meet them (skipped without ../shared)', () => {
  const home = new UserHome();
  const reports = new Map<string, string>();
  let app: App;

  beforeAll(async () => {
    cpSync(CASES, home.notes, { recursive: true });
    rmSync(path.join(home.notes, 'README.md'));
    rmSync(path.join(home.notes, 'cases.json'));
    const env = { KEBAB_OCR_ENGINE: 'tesseract', KEBAB_PDF_OCR: 'auto' };
    app = await home.open(env, { builtins: [...builtins, ...PARTS] });
    const { items } = await app.ingest();
    for (const item of items ?? []) reports.set(item.doc_path, JSON.stringify([item.error ?? [], item.warnings]));
  }, 300_000);
  afterAll(() => home.remove());

  async function found(query: string, file: string): Promise<boolean> {
    const { hits } = await app.search({ text: query, mode: 'lexical', k: 50 });
    return hits.some(({ citation }) => citation.path.normalize() === file.normalize());
  }

  it.each(cases.map((one) => [`${one.kind} ${one.file}`, one] as const))('%s is read', async (_, one) => {
    const { file } = one;
    for (const query of one.find ?? []) expect([query, await found(query, file)]).toEqual([query, true]);
    for (const query of one.absent ?? []) expect([query, await found(`"${query}"`, file)]).toEqual([query, false]);
    if (one.told !== undefined) expect(reports.get(file)).toMatch(new RegExp(one.told.replace('(?i)', ''), 'i'));
    const { docs } = await app.listDocs({}, { limit: 1000 });
    const summary = docs.find(({ doc_path }) => doc_path.normalize() === file.normalize());
    if (summary === undefined) {
      expect(one.told).toBeDefined(); // a file that fails is named
      return;
    }
    const docId = (await app.resolveId('document', summary.doc_id)) as DocumentId;
    const inspection = await app.inspectDoc(docId);
    if (one.title !== undefined) expect(summary.title).toBe(one.title);
    if (one.tags !== undefined) expect(inspection.metadata.tags).toEqual(expect.arrayContaining([...one.tags]));
    const whole = await app.fetch({ kind: 'doc', docId });
    const text = whole.kind === 'doc' ? whole.text : '';
    for (const words of one.text ?? []) expect(squeezed(text)).toContain(squeezed(words));
    for (const words of one.notText ?? []) expect(text).not.toContain(words);
    for (const words of one.once ?? []) expect(squeezed(text).split(words)).toHaveLength(2);
    for (const pattern of one.match ?? []) expect(text).toMatch(new RegExp(pattern, 'u'));
    for (const pattern of one.notMatch ?? []) expect(text).not.toMatch(new RegExp(pattern, 'u'));
    const headings = new Set(
      inspection.blocks.flatMap(({ kind, heading_path: above, payload }) => {
        const own = kind === 'heading' ? [...above, String((payload as { text?: unknown }).text)] : above;
        return own.map((__, at) => own.slice(at).join(' > '));
      }),
    );
    for (const heading of one.headings ?? []) expect([...headings]).toContain(heading);
    for (const heading of one.notHeadings ?? []) expect([...headings]).not.toContain(heading);
    for (const { query, ...place } of one.cite ?? []) {
      const { hits } = await app.search({ text: query, mode: 'lexical', k: 50 });
      const hit = hits.find(({ citation }) => citation.path === file);
      expect(hit?.citation).toSatisfy((citation) => covers(citation, place), `covers ${JSON.stringify(place)}`);
    }
  });
});

/** Whether a citation contains a place: a line, a page, or a step of an anchor such as a row or a slide. */
function covers(citation: unknown, place: Readonly<Record<string, unknown>>): boolean {
  const { start, end, line_start: first, line_end: last, page, uri } = citation as Record<string, unknown>;
  return Object.entries(place).every(([step, number]) => {
    if (step === 'line') return Number(start ?? first) <= Number(number) && Number(number) <= Number(end ?? last);
    if (step === 'page' && page !== undefined) return page === number;
    const range = new RegExp(`[#&]${step}=(\\d+)(?:-(\\d+))?`).exec(String(uri)) ?? [];
    return Number(range[1]) <= Number(number) && Number(number) <= Number(range[2] ?? range[1]);
  });
}
