export { damaged, sampleFiles, type SampledFile, listUnits, PackUnderTest } from './pack-under-test.ts';
export { languagePackSuites, type LanguagePackSuiteOptions, type SampledCode } from './language-pack-suites.ts';
export { unnamedDefinitions, type DefinitionCheck, type DefinitionRules } from './unnamed-definitions.ts';
