// What `kebab plugin test` loads of this folder, in one import.
export { guessFixtures } from './guess-fixtures.ts';
export { pluginSuites } from './plugin-suites.ts';
