import type { DocumentId } from '@kebab/core';
import type { Damage } from '@kebab/core/store';
import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import { decodeBlocks } from './blocks-column.ts';
import { rowsOf, type Build, type Steps } from './engine.ts';
import type { Tables } from './tables.ts';

const eb = expressionBuilder<Tables & { readonly d: Tables['documents'] }, 'd'>();

/** The chunks `c` in the range of a document `d`. */
function chunksInRange() {
  return eb
    .selectFrom('chunks as c')
    .whereRef('c.seq', '>=', 'd.first_chunk')
    .where('c.seq', '<', (chunk) => chunk('d.first_chunk', '+', chunk.ref('d.chunk_count')));
}

/** The segments `t` of a document `d`. */
function segments() {
  return eb.selectFrom('document_texts as t').whereRef('t.doc_seq', '=', 'd.seq');
}

/** Inconsistencies between the rows of a document `d`, worded to follow the number of documents. */
const ROW_FAULTS: readonly (readonly [table: string, problem: string, condition: () => Expression<SqlBool>])[] = [
  [
    'assets',
    'documents have no asset',
    () =>
      eb.not(eb.exists(eb.selectFrom('assets as a').select('a.asset_id').whereRef('a.asset_id', '=', 'd.asset_id'))),
  ],
  [
    'document_texts',
    'documents lack their text',
    () =>
      eb.and([
        eb('d.text_length', '>', 0),
        eb.or([
          eb.not(eb.exists(segments().select('t.start').where('t.start', '=', 0))),
          eb(
            segments().select(({ fn }) => fn.max<number>('t.start').as('start')),
            '>=',
            eb.ref('d.text_length'),
          ),
        ]),
      ]),
  ],
  [
    'chunks',
    'documents lack chunks, or have chunks with wrong positions',
    () =>
      eb(
        'd.chunk_count',
        '<>',
        chunksInRange()
          .select(({ fn }) => fn.countAll<number>().as('chunks'))
          .whereRef('c.doc_seq', '=', 'd.seq')
          .where('c.ordinal', '=', (chunk) => chunk('c.seq', '-', chunk.ref('d.first_chunk')))
          .whereRef('c.text_start', '<=', 'c.text_end')
          .whereRef('c.text_end', '<=', 'd.text_length'),
      ),
  ],
  [
    'document_blocks',
    'documents lack blocks',
    () =>
      eb.and([
        eb.not(
          eb.exists(eb.selectFrom('document_blocks as b').select('b.doc_seq').whereRef('b.doc_seq', '=', 'd.seq')),
        ),
        eb.exists(chunksInRange().select('c.seq').where('c.first_block', '>=', 0)),
      ]),
  ],
];

/** Rows without which a database has no version or no identity. */
const FACTS = [
  ['schema_meta', 'schema_version', 'the version of the schema is missing'],
  ['kv', 'knowledge_base', 'the id of the knowledge base is missing'],
  ['kv', 'corpus_revision', 'the revision of the corpus is missing'],
] as const;

const OF_A_DOCUMENT = ['chunks', 'document_texts', 'document_blocks', 'document_tags'] as const;

/** Documents whose blocks are read at a time. */
const BATCH = 500;

/** Finds which rows are missing, malformed or inconsistent where no table is missing. `deep` reads every block. */
export function* damagedRows(build: Build, deep: boolean): Steps<readonly Damage[]> {
  const found: Damage[] = [];
  for (const [table, key, problem] of FACTS) {
    const rows = yield* rowsOf(build.selectFrom(table).select('key').where('key', '=', key));
    if (rows.length === 0) found.push({ table, problem });
  }
  const migrations = yield* rowsOf(build.selectFrom('migrations').select('id'));
  if (migrations.length === 0) found.push({ table: 'migrations', problem: 'the list of migrations is empty' });
  for (const [table, problem, condition] of ROW_FAULTS) {
    const faulty = build.selectFrom('documents as d').where(condition());
    const [documents] = yield* rowsOf(faulty.select(({ fn }) => fn.countAll<number>().as('rows')));
    if (documents !== undefined && documents.rows > 0) found.push({ table, problem: `${documents.rows} ${problem}` });
  }
  const unreadable = deep ? yield* unreadableBlocks(build) : 0;
  if (unreadable > 0)
    found.push({ table: 'document_blocks', problem: `${unreadable} documents have blocks that cannot be read` });
  for (const table of OF_A_DOCUMENT) {
    const [orphans] = yield* rowsOf(
      build
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .where('doc_seq', 'not in', build.selectFrom('documents').select('seq')),
    );
    if (orphans !== undefined && orphans.rows > 0)
      found.push({ table, problem: `${orphans.rows} rows belong to no document` });
  }
  return found;
}

function* unreadableBlocks(build: Build): Steps<number> {
  let unreadable = 0;
  for (let after = -1; ;) {
    const rows = yield* rowsOf(
      build
        .selectFrom('document_blocks as b')
        .innerJoin('documents as d', 'd.seq', 'b.doc_seq')
        .select(['d.seq', 'd.doc_id', 'b.blocks_json'])
        .where('d.seq', '>', after)
        .orderBy('d.seq')
        .limit(BATCH),
    );
    for (const row of rows)
      try {
        decodeBlocks(row.doc_id as DocumentId, row.blocks_json);
      } catch {
        unreadable++;
      }
    if (rows.length < BATCH) return unreadable;
    after = rows.at(-1)?.seq ?? after;
  }
}
