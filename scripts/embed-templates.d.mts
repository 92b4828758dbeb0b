/** The text that the generated module of templates should have. */
export declare function renderTemplates(): Promise<string>;
