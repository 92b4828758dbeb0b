export { damaged } from './damaged.ts';
export { languagePackSuites, type LanguagePackSuiteOptions } from './language-pack-suites.ts';
export { listUnits } from './list-units.ts';
export { PackUnderTest } from './pack-under-test.ts';
export { sampleFiles, type SampledFile } from './sample-files.ts';
export { unnamedDefinitions, type DefinitionCheck, type DefinitionRules } from './unnamed-definitions.ts';
