import type { WireObjects } from '../../../src/wire/index.ts';
import { answerEvents, answers } from './answers.ts';
import {
  chunkInspection,
  docInspections,
  docListBriefs,
  grepResults,
  docLists,
  docSummaries,
  skippedFiles,
  fetchResults,
} from './documents.ts';
import { errors } from './errors.ts';
import { ingestProgress, ingestReports } from './ingests.ts';
import { citationChecks, citations } from './places.ts';
import { reports } from './reports.ts';
import {
  bulkSearchBriefs,
  bulkSearchInputs,
  bulkSearchItems,
  bulkSearchResponses,
  hits,
  searchBriefs,
  searchResponses,
} from './searches.ts';

/** Valid examples of every wire object: each variant of a union at least once, optional members present and absent. */
export const EXAMPLES: { readonly [N in keyof WireObjects]: readonly WireObjects[N][] } = {
  ...reports,
  answer: answers,
  answer_event: answerEvents,
  bulk_search_brief: bulkSearchBriefs,
  bulk_search_input: bulkSearchInputs,
  bulk_search_item: bulkSearchItems,
  bulk_search_response: bulkSearchResponses,
  chunk_inspection: [chunkInspection],
  citation: citations,
  citation_check: citationChecks,
  doc_inspection: docInspections,
  doc_list: docLists,
  doc_list_brief: docListBriefs,
  grep_result: grepResults,
  doc_summary: docSummaries,
  error: errors,
  fetch_result: fetchResults,
  ingest_progress: ingestProgress,
  ingest_report: ingestReports,
  search_brief: searchBriefs,
  search_history: [
    { schema_version: 'search_history.v1', saved: [], searches: [] },
    {
      schema_version: 'search_history.v1',
      saved: [{ name: 'kiln', query: 'kiln shelf', command: "kebab search 'kiln shelf' --since 2w" }],
      searches: [{ at: '2026-01-02T00:00:00.000Z', hits: 0, query: 'salt', command: 'kebab search salt' }],
    },
  ],
  search_hit: hits,
  search_response: searchResponses,
  skipped_file: skippedFiles,
};
