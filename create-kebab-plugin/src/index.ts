export { generatePlugin, type GeneratedPlugin, type GenerateRequest } from './generate-plugin.ts';
export { NameError, parsePluginName, type PluginName, TEMPLATE_KINDS, type TemplateKind } from './templates.ts';
