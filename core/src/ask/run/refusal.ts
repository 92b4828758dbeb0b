import type { AnswerCitation, RefusalReason } from '../../wire/index.ts';
import type { Evidence } from '../retrieval/retrieve-evidence.ts';

const SENTENCES: Readonly<Record<RefusalLanguage, Readonly<Record<RefusalReason, string>>>> = {
  en: {
    score_gate: 'Not enough evidence. The knowledge base has nothing on this.',
    no_chunks: 'Not enough evidence. The knowledge base has nothing on this.',
    llm_self_judge: 'Not enough evidence. The retrieved chunks do not contain the answer.',
    no_index: 'Not enough evidence. The knowledge base is empty; run kebab ingest first.',
    llm_stream_aborted: 'The answer was interrupted.',
    multi_hop_decompose_failed: 'Not enough evidence. The question could not be split into sub-questions.',
    nli_verification_failed: 'Not enough evidence. The answer could not be verified against the retrieved chunks.',
    nli_model_unavailable: 'Not enough evidence. The model that verifies answers is not available.',
    unverified: 'The answer does not hold against the retrieved chunks.',
  },
  ko: {
    score_gate: '근거가 부족합니다. 지식 베이스에 관련 내용이 없습니다.',
    no_chunks: '근거가 부족합니다. 지식 베이스에 관련 내용이 없습니다.',
    llm_self_judge: '근거가 부족합니다. 검색된 내용에 답이 없습니다.',
    no_index: '근거가 부족합니다. 지식 베이스가 비어 있습니다. 먼저 kebab ingest를 실행하세요.',
    llm_stream_aborted: '답변이 중단되었습니다.',
    multi_hop_decompose_failed: '근거가 부족합니다. 질문을 하위 질문으로 나누지 못했습니다.',
    nli_verification_failed: '근거가 부족합니다. 답변을 검색된 내용으로 확인하지 못했습니다.',
    nli_model_unavailable: '근거가 부족합니다. 답변을 확인하는 모델을 사용할 수 없습니다.',
    unverified: '답변이 검색된 내용과 일치하지 않습니다.',
  },
  ja: {
    score_gate: '根拠が不足しています。ナレッジベースに該当する内容がありません。',
    no_chunks: '根拠が不足しています。ナレッジベースに該当する内容がありません。',
    llm_self_judge: '根拠が不足しています。検索された内容に答えがありません。',
    no_index: '根拠が不足しています。ナレッジベースが空です。先に kebab ingest を実行してください。',
    llm_stream_aborted: '回答が中断されました。',
    multi_hop_decompose_failed: '根拠が不足しています。質問を下位の質問に分けられませんでした。',
    nli_verification_failed: '根拠が不足しています。回答を検索された内容で確認できませんでした。',
    nli_model_unavailable: '根拠が不足しています。回答を確認するモデルを利用できません。',
    unverified: '回答が検索された内容と一致しません。',
  },
};

/** The refusal shown to the reader, in the language of the question. */
export function refusalSentence(reason: RefusalReason, question: string): string {
  return SENTENCES[questionLanguage(question)][reason];
}

/** A language for refusals. */
type RefusalLanguage = 'en' | 'ko' | 'ja';

/** The language of a question by its script: Hangul is Korean, kana is Japanese, everything else counts as English. */
function questionLanguage(question: string): RefusalLanguage {
  const hangul = question.match(/\p{Script=Hangul}/gu)?.length ?? 0;
  const kana = question.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  if (hangul === 0 && kana === 0) return 'en';
  return hangul >= kana ? 'ko' : 'ja';
}

/** The nearest passages, most relevant first, each place once, without markers. */
export function nearCandidates(evidence: readonly Evidence[]): readonly AnswerCitation[] {
  const seen = new Set<string>();
  return evidence
    .toSorted((a, b) => b.score - a.score)
    .filter(({ citation }) => {
      const place = `${citation.source_id ?? 'default'}:${citation.uri}`;
      return !seen.has(place) && seen.add(place);
    })
    .map(({ citation, score, indexed_at, stale, freshness }) => ({
      marker: null,
      citation,
      score,
      indexed_at,
      stale,
      freshness,
      quotes: [],
      verified: null,
    }));
}
