import type { KebabTool } from './kebab-tool.ts';

/** `doctor`: what works and what does not. */
export const doctor: KebabTool = {
  name: 'doctor',
  title: 'Check that everything works',
  description: 'Checks configuration, database, models and plugins, and names a remedy for what is unhealthy.',
  input: {},
  output: 'doctor',
  writes: false,
  run: (_args, { app, signal }) => app.doctor({ signal }),
};
