export { generatePlugin, type GeneratedPlugin, type GenerateRequest } from './generate-plugin.ts';
export { NameError, parsePluginName, type PluginName } from './plugin-name.ts';
export { TEMPLATE_KINDS, TEMPLATES, type Template, type TemplateKind } from './templates.ts';
