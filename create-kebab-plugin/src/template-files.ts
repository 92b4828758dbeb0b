/** Texts of files by their paths in the project, with marks like `{{name}}` to be filled in. */
export type TemplateFiles = Readonly<Record<string, string>>;
