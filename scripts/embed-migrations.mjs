// Writes the SQL of migrations/ into the SQLite plugin, so that bundle and dist read no file. `--check` only compares.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { blake3 } from '@noble/hashes/blake3.js';

const folder = new URL('../migrations/', import.meta.url);
const target = new URL('../plugins/store-sqlite/src/database/migrations.generated.ts', import.meta.url);

/** The text that the generated file should have. */
export function renderMigrations() {
  const entries = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name, index) => {
      const [, number, description] = /^V(\d{3})__([a-z0-9_]+)\.sql$/.exec(name) ?? [];
      if (Number(number) !== index + 1)
        throw new Error(`${name}: expected V${String(index + 1).padStart(3, '0')}__<name>.sql`);
      const sql = readFileSync(new URL(name, folder), 'utf8');
      const checksum = Buffer.from(blake3(new TextEncoder().encode(sql))).toString('hex');
      const literal = sql.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${');
      return `  {\n    version: ${index + 1},\n    description: '${description}',\n    checksum: '${checksum}',\n    sql: \`${literal}\`,\n  },\n`;
    });
  return `// Generated from migrations/*.sql by scripts/embed-migrations.mjs; run it again after each change.
import type { Migration } from './migrate.ts';

/** Every migration, by version from 1 on. */
export const MIGRATIONS: readonly Migration[] = [
${entries.join('')}];
`;
}

if (
  process.argv[1] !== undefined &&
  import.meta.url.endsWith('/scripts/embed-migrations.mjs') &&
  process.argv[1].endsWith('embed-migrations.mjs')
) {
  const wanted = renderMigrations();
  if (process.argv.includes('--check')) {
    if (readFileSync(target, 'utf8') !== wanted) {
      process.stderr.write('migrations.generated.ts is not current: run node scripts/embed-migrations.mjs\n');
      process.exitCode = 1;
    }
  } else writeFileSync(target, wanted);
}
