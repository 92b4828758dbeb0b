export {
  BUSY_TIMEOUT_MS,
  bindingFailure,
  checkLibrary,
  loadSqlite,
  openToRead,
  setUp,
  sqliteCode,
  type LibraryVersions,
  type Sqlite,
} from './open-sqlite.ts';
export {
  asPromise,
  columnsOf,
  inList,
  itemsOf,
  sqlBuilder,
  statement,
  statementsOn,
  type BuiltStatement,
  type Item,
  type Placeholder,
} from './statements.ts';
