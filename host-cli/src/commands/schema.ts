import { printable, type SchemaV1 } from '@kebab/core/app';
import { reporting } from '../command/reporting.ts';
import { renderFields, type Field, type Screen } from '../screen/screen.ts';
import { bytesText, counted } from '../screen/shown-values.ts';

/** `kebab schema`: shows versions, capabilities and counts. */
export const schema = reporting((app, { signal }) => app.schema({ signal }), renderSchema);

function renderSchema(
  { capabilities, kebab_version, models, plugins, stats, wire }: SchemaV1,
  { colors }: Screen,
): string {
  const { yes, no } = splitFlags(capabilities);
  const sections: readonly (readonly [title: string, fields: readonly Field[]])[] = [
    ['knowledge base', statFields(stats)],
    ['versions', modelFields(models)],
    [
      'capabilities',
      [
        ['yes', yes.join(' ')],
        ['no', no.join(' ')],
      ],
    ],
    ['plugins', plugins.map(({ name, version, state }) => [name, `${version}  ${state}`] as const)],
  ];
  const schemas = counted(wire.schemas.length, 'wire schema');
  return `${colors.bold(`kebab ${printable(kebab_version)}`)}  ${schemas}\n${sections
    .map(([title, fields]) => `\n${colors.bold(title)}\n${renderFields(fields)}`)
    .join('')}`;
}

function statFields(stats: SchemaV1['stats']): readonly Field[] {
  return [
    ['documents', `${stats.doc_count}, ${stats.stale_doc_count} stale`],
    ['chunks', String(stats.chunk_count)],
    ['assets', String(stats.asset_count)],
    ['last ingest', stats.last_ingest_at ?? 'never'],
    ['media', countsText(stats.media_breakdown)],
    ['languages', countsText(stats.lang_breakdown)],
    ['code', countsText(stats.code_lang_breakdown)],
    ['code chunks', countsText(stats.code_lang_chunk_breakdown)],
    ['repositories', countsText(stats.repo_breakdown)],
    ['sources', countsText(stats.source_breakdown)],
    ['size', `${bytesText(stats.index_bytes.sqlite)} database, ${bytesText(stats.index_bytes.vectors)} vectors`],
    ['vectors', stats.embeddings_pending === 0 ? '' : `${counted(stats.embeddings_pending, 'document')} pending`],
  ];
}

function modelFields(models: SchemaV1['models']): readonly Field[] {
  return [
    ['parsers', labelsText(models.parser_version)],
    ['chunkers', labelsText(models.chunker_version)],
    ['embedding', models.embedding_version ?? 'none'],
    ['index', `${models.index_version}, corpus revision ${models.corpus_revision}`],
    ['prompt', models.prompt_template_version],
    ['llm', models.llm],
    ['reranker', models.reranker],
    ['nli', models.nli],
  ];
}

function splitFlags(flags: SchemaV1['capabilities']): {
  readonly yes: readonly string[];
  readonly no: readonly string[];
} {
  const names = Object.keys(flags);
  const isOn = (name: string): boolean => (flags as Readonly<Record<string, boolean>>)[name] === true;
  return { yes: names.filter(isOn), no: names.filter((name) => !isOn(name)) };
}

/** Counts above zero, largest first. */
function countsText(counts: Readonly<Record<string, number>>): string {
  const present = Object.entries(counts).filter(([, count]) => count > 0);
  return present
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

/** Names grouped by label, as several media often share one. */
function labelsText(labels: Readonly<Record<string, string>>): string {
  return [...new Set(Object.values(labels))].join(', ');
}
