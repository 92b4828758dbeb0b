import type { AnswerFinding, ErrorCode, IndexState, SearchResponse, SkippedFile } from '@kebab/core/app';
import english from './texts/english.json' with { type: 'json' };
import korean from './texts/korean.json' with { type: 'json' };

type Degraded = SearchResponse['degraded'][number];
type Expected = NonNullable<SearchResponse['expect']>;

/** What the pages say in English, the language of what the engine itself says. */
const EN = {
  ...english,
  searchIntro: (documents: number) =>
    `${documents} ${documents === 1 ? 'document' : 'documents'}. Type some words: a hit opens its document at the place that was found.`,
  hits: (count: number, documents: number, isPart: boolean) =>
    `${count} ${count === 1 ? 'passage' : 'passages'}${isPart ? ' on this page,' : ''} in ${documents} ${documents === 1 ? 'document' : 'documents'}`,
  at: (fragment: string) =>
    placeIn(fragment, { p: 'page $', L: 'line $', Ls: 'lines $', rows: 'rows $', cells: 'cells $' }),
  unknownTerms: (words: string) => `No passage contains: ${words}`,
  unsaved: (name: string) => `No search is saved as “${name}”, so the word was looked for.`,
  nearTo: (word: string) => `Near to “${word}”:`,
  noDocumentHas: (filter: string, value: string) => `No document has ${filter} “${value}”.`,
  readAsWords: (text: string, hint: string) => `“${text}” is read as words: ${hint}`,
  relaxed: (words: string) => `Not required, since no passage meets it: ${words}`,
  notSearched: (why: string) => `Not searched: ${why}`,
  indexState: ({ changed, hint }: IndexState) =>
    changed === 0 ? hint : `${changed} ${changed === 1 ? 'file' : 'files'} changed since the last ingest: ${hint}`,
  degraded: ({ stage, reason, hint }: Degraded) =>
    `${stage === 'vector' ? 'Found by words only' : `Without ${stage}`} (${reason.replaceAll('_', ' ')}): ${hint}`,
  moreInDocument: (count: number) => `${count} more in this document`,
  countedBest: (count: number) => `Counted: the ${count} best documents.`,
  someChanged: (count: number) =>
    `${count} of these files ${count === 1 ? 'has' : 'have'} changed since the last ingest: kebab ingest`,
  pageOf: (page: number, pages: number) => `page ${page} of ${pages}`,
  cutLine: (count: number) => `… ${count} more characters`,
  waitingFor: (model: string, reading: string) => `${model} reads ${reading} …`,
  belowGate: (score: string, gate: string) => `Their relevance is ${score}; an answer needs ${gate}.`,
  verified: (good: number, all: number) =>
    good === all ? 'Every citation stands where it says.' : `${good} of ${all} citations stand where they say.`,
  turns: (count: number) => `${count} ${count === 1 ? 'question' : 'questions'}`,
  hitCount: (count: number) => `${count} ${count === 1 ? 'hit' : 'hits'}`,
  unsupportedNumbers: (numbers: string) => `Numbers that occur in no passage: ${numbers}`,
  checksLine: (checks: { sentences: number; cited: number; details: number; method: string }) =>
    `${checks.cited} of ${checks.sentences} sentences cited, ${checks.details} ${checks.details === 1 ? 'detail' : 'details'} compared (${checks.method})`,
  answeredBy: (model: string, seconds: string) => `${model}, ${seconds} s`,
  ofNewest: (count: number) => `Years and tags are those of the newest ${count.toLocaleString('en')} documents.`,
  notIndexed: (added: number, changed: number, gone: number) =>
    `Not indexed yet: ${added} new, ${changed} changed, ${gone} deleted files. \`kebab ingest\` indexes them; this page follows it.`,
  leftToWorkers: (waiting: number, running: number, vectors: boolean) =>
    `Left to workers: ${waiting} files wait, ${running} are being read${vectors ? '; vectors are not complete' : ''}.`,
  finding: ({ message }: AnswerFinding) => message,
  expected: ({ reason, hint }: Expected) => (hint === null ? reason : `${reason} — ${hint}`),
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

const { details: DETAILS, ...KOREAN } = korean;
const FINDINGS: Readonly<Partial<Record<AnswerFinding['kind'], string>>> = DETAILS.findings;

const KO: Texts = {
  ...KOREAN,
  errors: DETAILS.errors satisfies Readonly<Record<ErrorCode, string>>,
  skippedFor: DETAILS.skippedFor satisfies Readonly<Record<SkippedFile['reason'], object>>,
  checks: DETAILS.checks,
  searchIntro: (documents) => `문서 ${documents}개. 낱말을 입력하세요. 결과를 열면 문서의 해당 위치가 표시됩니다.`,
  hits: (count, documents, isPart) => `${isPart ? '이 쪽에는 ' : ''}문서 ${documents}개에서 구절 ${count}개`,
  at: (fragment) =>
    placeIn(fragment, {
      p: '$쪽',
      L: '$줄',
      row: '$행',
      sheet: '시트 $',
      cell: '셀 $',
      slide: '슬라이드 $',
      section: '절 $',
    }),
  unknownTerms: (words) => `어느 구절에도 없는 낱말: ${words}`,
  unsaved: (name) => `“${name}”(이)라는 이름으로 저장된 검색이 없어 낱말로 찾았습니다.`,
  nearTo: (word) => `“${word}”와 비슷한 낱말:`,
  noDocumentHas: (filter, value) => `${filter} “${value}”인 문서가 없습니다.`,
  readAsWords: (text) => `“${text}”은(는) 연산자가 아니라 낱말로 읽습니다. 있어야 할 낱말 앞에는 +를 쓰세요.`,
  relaxed: (words) => `맞는 구절이 없어 요구하지 않은 조건: ${words}`,
  notSearched: (why) => `검색하지 못한 파일: ${why}`,
  indexState: ({ changed, reason }) =>
    `${changed === 0 ? '최근에 바뀐 파일만 확인했습니다' : `마지막 색인 뒤에 파일 ${changed}개가 바뀌었습니다`}: ${DETAILS.index[reason]}`,
  degraded: ({ stage, reason }) =>
    `${stage === 'vector' ? '낱말로만 찾음' : `${DETAILS.stages[stage]} 없이 실행됨`}: ${DETAILS.reasons[reason]}`,
  moreInDocument: (count) => `이 문서에 ${count}개 더`,
  countedBest: (count) => `가장 알맞은 문서 ${count}개를 센 수입니다.`,
  someChanged: (count) => `이 가운데 파일 ${count}개가 마지막 색인 뒤에 바뀌었습니다: kebab ingest`,
  pageOf: (page, pages) => `${pages}쪽 중 ${page}쪽`,
  cutLine: (count) => `… ${count}자 더`,
  waitingFor: (model, reading) => `${model}이(가) 읽는 중: ${reading} …`,
  belowGate: (score, gate) => `관련도는 ${score}이고, 답하려면 ${gate}이(가) 필요합니다.`,
  verified: (good, all) =>
    good === all ? `인용 ${all}개가 모두 제자리에 있습니다.` : `인용 ${all}개 중 ${good}개가 제자리에 있습니다.`,
  turns: (count) => `질문 ${count}개`,
  hitCount: (count) => `결과 ${count}개`,
  unsupportedNumbers: (numbers) => `어느 구절에도 없는 수: ${numbers}`,
  checksLine: ({ sentences, cited, details, method }) =>
    `문장 ${sentences}개 중 ${cited}개 인용, 세부 ${details}개 비교 (${method})`,
  answeredBy: (model, seconds) => `${model}, ${seconds}초`,
  ofNewest: (count) => `연도와 태그는 가장 새로운 문서 ${count.toLocaleString('ko')}개의 것입니다.`,
  notIndexed: (added, changed, gone) =>
    `아직 색인하지 않은 파일: 새 파일 ${added}개, 바뀐 파일 ${changed}개, 지워진 파일 ${gone}개. \`kebab ingest\`로 색인하면 이 페이지에 진행이 보입니다.`,
  leftToWorkers: (waiting, running, vectors) =>
    `워커에 맡긴 파일: ${waiting}개 대기 중, ${running}개 읽는 중.${vectors ? ' 벡터가 아직 다 계산되지 않았습니다.' : ''}`,
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
