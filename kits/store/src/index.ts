export { TABLES, type ColumnKind, type NewRow, type Row, type Table, type Tables } from './tables.ts';
export { migrationName, shippedMigrations, type Migration, type ShippedMigration } from './migrations.ts';
export { DamagedColumn, decoded } from './damaged-column.ts';
