import { testPlugin as runSuites, type PluginTestRequest, type TestedPlugin } from '../admin/plugin-test.ts';
import type { PluginFixtures } from '../testing/suites-by-kind.ts';
import type { PluginTest } from '../wire/index.ts';

/** Runs the suites of `@kebab/core/testing` for all contributions of a plugin; they are loaded once the plugin is found. */
export function testPlugin(request: PluginTestRequest): Promise<PluginTest> {
  return runSuites(request, async ({ plugin, fixtures, config, manifest }: TestedPlugin) => {
    const { guessFixtures, pluginSuites } = await import('../testing/plugin-testing.ts');
    const settings = config === undefined ? {} : { config };
    const guessed = await guessFixtures({ plugin, fixtures: fixtures as PluginFixtures, ...settings });
    return pluginSuites({ plugin, fixtures: guessed, ...settings, ...(manifest === null ? {} : { manifest }) });
  });
}
