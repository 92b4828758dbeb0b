import type { AnswerFinding, ErrorCode, IndexState, SearchResponse, SkippedFile } from '@kebab/core/app';
import english from './texts/english.json' with { type: 'json' };
import korean from './texts/korean.json' with { type: 'json' };

/** The sentences of a language, as functions of the values that stand in them. */
type Sentences = Readonly<Record<keyof typeof english.sentences, (...values: readonly (string | number)[]) => string>>;

/** Reads sentences in which `{0}` stands for the first value, and `{0:file|files}` for the noun that it counts. */
function sentencesIn({ lang, sentences }: Pick<typeof english, 'lang' | 'sentences'>): Sentences {
  const filled = (sentence: string, values: readonly (string | number)[]): string =>
    sentence.replaceAll(/\{(\d)(?::([^|}]*)\|([^}]*))?\}/g, (_, at: string, one?: string, many = '') => {
      const value = values[Number(at)] ?? '';
      return one === undefined ? value.toLocaleString(lang) : value === 1 ? one : many;
    });
  const entries = Object.entries(sentences).map(
    ([name, sentence]) => [name, (...values: readonly (string | number)[]) => filled(sentence, values)] as const,
  );
  return Object.fromEntries(entries) as Sentences;
}

const { places: PLACES, ...ENGLISH } = english;

/** What the pages say in English, the language of what the engine itself says. */
const EN = {
  ...ENGLISH,
  ...sentencesIn(english),
  at: (fragment: string) => placeIn(fragment, PLACES),
  indexState: ({ changed, hint }: IndexState) =>
    changed === 0 ? hint : `${changed} ${changed === 1 ? 'file' : 'files'} changed since the last ingest: ${hint}`,
  degraded: ({ stage, reason, hint }: SearchResponse['degraded'][number]) =>
    `${stage === 'vector' ? 'Found by words only' : `Without ${stage}`} (${reason.replaceAll('_', ' ')}): ${hint}`,
  finding: ({ message }: AnswerFinding) => message,
  expected: ({ reason, hint }: NonNullable<SearchResponse['expect']>) =>
    hint === null ? reason : `${reason} — ${hint}`,
  /** What to do about an error, in other languages than that of its hint. */
  errors: {} as Readonly<Partial<Record<ErrorCode, string>>>,
  /** Why a file is left out, and what to do about it, in other languages than those of the engine. */
  skippedFor: { failed: { reason: 'cannot be read', remedy: 'Repair the file, then index it again.' } } as Readonly<
    Partial<Record<SkippedFile['reason'], { readonly reason: string; readonly remedy: string }>>
  >,
  /** What a check of the doctor looks at, and what to do where it fails. */
  checks: {} as Readonly<Partial<Record<string, { readonly name: string; readonly remedy: string }>>>,
};

/** The place that a fragment of a citation names, in words: `lines 6–8`, `page 3`, `sheet Q3, row 17`. */
function placeIn(fragment: string, names: Readonly<Record<string, string>>): string {
  const parts = fragment.split('&').map((part) => {
    const [, key = '', value = ''] = /^(L(?=\d)|[a-z_]+(?==))=?(.+)$/s.exec(part) ?? [];
    if (key === '') return part;
    const range = value.replace(/^(\d+)-L?(\d+)$/, '$1–$2');
    const name = (range === value ? undefined : names[`${key}s`]) ?? names[key] ?? `${key} $`;
    return name.replace('$', () => range);
  });
  return parts.join(', ');
}

/** The texts of the pages in one language. */
export type Texts = typeof EN & {
  /** Where a browser that was logged in is logged out. */
  readonly logOutHref?: string | undefined;
  /** The pages that whoever asks may not open, which are then not linked. */
  readonly closed?: ReadonlySet<'ask' | 'about'> | undefined;
};

const { details: DETAILS, places, ...KOREAN } = korean;
const FINDINGS: Readonly<Partial<Record<AnswerFinding['kind'], string>>> = DETAILS.findings;

const KO: Texts = {
  ...KOREAN,
  ...sentencesIn(korean),
  errors: DETAILS.errors satisfies Readonly<Record<ErrorCode, string>>,
  skippedFor: DETAILS.skippedFor satisfies Readonly<Record<SkippedFile['reason'], object>>,
  checks: DETAILS.checks,
  at: (fragment) => placeIn(fragment, places),
  indexState: ({ changed, reason }) =>
    `${changed === 0 ? '최근에 바뀐 파일만 확인했습니다' : `마지막 색인 뒤에 파일 ${changed}개가 바뀌었습니다`}: ${DETAILS.index[reason]}`,
  degraded: ({ stage, reason }) =>
    `${stage === 'vector' ? '낱말로만 찾음' : `${DETAILS.stages[stage]} 없이 실행됨`}: ${DETAILS.reasons[reason]}`,
  finding: ({ kind, level, text, message }) => {
    if (kind === 'computed') return `구절의 수에서 계산한 값입니다: ${message.split(': ').at(-1)}`;
    const said = (FINDINGS[kind] ?? '“$”은(는) 구절에 없습니다.').replace('$', () => text);
    return level === 'failed' ? said : `직접 확인하세요: ${said}`;
  },
  expected: ({ outcome, rank }) => DETAILS.expected[outcome].replace('$', String(rank)),
};

/** The texts for a browser: in the first language of its `Accept-Language` header that there is, or English. */
export function textsFor(languages: string): Texts {
  const named = languages.split(',').map((one) => one.trim().slice(0, 2).toLowerCase());
  return named.find((one) => one === 'ko' || one === 'en') === 'ko' ? KO : EN;
}
