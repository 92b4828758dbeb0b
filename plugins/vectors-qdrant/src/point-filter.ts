import { TRUST_LEVELS, type SearchFilters, type VectorSearch } from '@kebab/core';
import { type PointPayload, pointIdOf } from './payload.ts';

/** A condition on points, in Qdrant's format. */
export type PointCondition =
  | { readonly has_id: readonly string[] }
  | { readonly key: keyof PointPayload | 'term' | 'name'; readonly match: { readonly any: readonly string[] } }
  | { readonly key: keyof PointPayload; readonly range: { readonly gte: number } };

/** All conditions of `must` and none of `must_not` are true. */
export interface PointFilter {
  readonly must?: readonly PointCondition[];
  readonly must_not?: readonly PointCondition[];
}

/** The maximum number of ids per request: forty bytes each, far below the server's limit of 32 MB. */
const MAX_IDS = 200_000;

/**
 * The filters whose combined results a search may return: one, unless there are more ids than fit into a request. Empty if nothing can
 * pass.
 */
export function pointFilters({ allow, except }: Pick<VectorSearch, 'allow' | 'except'>): readonly PointFilter[] {
  const mustNot: readonly PointCondition[] =
    except === undefined || except.size === 0 ? [] : [{ has_id: [...except].map(pointIdOf) }];
  const exclusion = mustNot.length === 0 ? {} : { must_not: mustNot };
  switch (allow.kind) {
    case 'all':
      return [exclusion];
    case 'only':
      return parts([...allow.chunkIds].map(pointIdOf)).map((ids) => ({ must: [{ has_id: ids }], ...exclusion }));
    case 'documents': {
      const conditions = allow.where === undefined ? undefined : payloadConditions(allow.where);
      if (conditions?.some(isClosed) === true) return [];
      if (conditions !== undefined) return [{ must: conditions, ...exclusion }];
      return parts([...allow.docIds]).map((any) => ({ must: [{ key: 'doc_id', match: { any } }], ...exclusion }));
    }
    default:
      return allow satisfies never;
  }
}

/** The filters that payload conditions express; not globs, tags with the tags below them, dates, titles, nested filters, and the rules of readers. */
const EXPRESSIBLE: ReadonlySet<string> = new Set([
  'lang',
  'trustMin',
  'media',
  'docId',
  'repo',
  'codeLang',
  'source',
  'sourceType',
  'ingestedAfter',
] satisfies readonly (keyof SearchFilters)[]);

/** The filters of a search as payload conditions; undefined if one of them cannot be expressed. */
export function payloadConditions(filters: SearchFilters): readonly PointCondition[] | undefined {
  const asked = Object.entries(filters).filter(([, value]) => value !== undefined);
  if (!asked.every(([member]) => EXPRESSIBLE.has(member))) return undefined;
  const { trustMin, ingestedAfter } = filters;
  const lists: readonly (readonly [keyof PointPayload, readonly string[] | undefined])[] = [
    ['lang', filters.lang],
    ['trust', trustMin === undefined ? undefined : TRUST_LEVELS.slice(0, TRUST_LEVELS.indexOf(trustMin) + 1)],
    ['media', filters.media],
    ['doc_id', filters.docId],
    ['repo', filters.repo],
    ['code_lang', filters.codeLang],
    ['source', filters.source],
    ['source_type', filters.sourceType],
  ];
  return [
    ...lists.flatMap(([key, any]) => (any === undefined ? [] : [{ key, match: { any } }])),
    ...(ingestedAfter === undefined ? [] : [{ key: 'committed_at' as const, range: { gte: ingestedAfter.getTime() } }]),
  ];
}

/** Whether a condition lists no values, so that no point matches. */
function isClosed(condition: PointCondition): boolean {
  return 'match' in condition && condition.match.any.length === 0;
}

function parts(ids: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, part) =>
    ids.slice(part * MAX_IDS, (part + 1) * MAX_IDS),
  );
}
