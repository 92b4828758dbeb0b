import type { PluginPromise, PluginTestResult } from '@kebab/core/app';

/** What the process that runs a plugin's suites tells the one that started it. */
export type TestMessage =
  | { readonly kind: 'plan'; readonly plugin: string; readonly promises: readonly PluginPromise[] }
  | { readonly kind: 'start' }
  | { readonly kind: 'result'; readonly result: PluginTestResult }
  /** The plugin does not load. */
  | { readonly kind: 'unusable'; readonly message: string }
  /** An error that nobody awaited or caught; the process ends with it. */
  | { readonly kind: 'stray'; readonly message: string }
  | { readonly kind: 'end' };
