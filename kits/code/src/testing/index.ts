export { damaged, sampleFiles, type SampledFile } from './sample-files.ts';
export { languagePackSuites, type LanguagePackSuiteOptions } from './language-pack-suites.ts';
export { listUnits, PackUnderTest } from './pack-under-test.ts';
export { unnamedDefinitions, type DefinitionCheck, type DefinitionRules } from './unnamed-definitions.ts';
