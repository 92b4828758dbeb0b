/** How files of one language are cut, and its description in the documentation. */
export interface ManifestFormat {
  readonly chunkerId: string;
  /** The symbol of every file; null if parts of a file have their own. */
  readonly symbol: string | null;
  readonly documentation: { readonly units: string; readonly symbolForm: string; readonly examples: readonly string[] };
}

const MANIFEST: ManifestFormat = {
  chunkerId: 'manifest-file-v1',
  symbol: '<manifest>',
  documentation: { units: 'the whole file', symbolForm: '<manifest>', examples: ['<manifest>'] },
};

/** The supported formats, by language. */
export const formats = {
  yaml: {
    chunkerId: 'k8s-manifest-resource-v1',
    symbol: null,
    documentation: {
      units: 'documents with apiVersion and kind; the others by paragraphs',
      symbolForm: 'Kind/namespace/name, Kind/name',
      examples: ['Deployment/web/kebab', 'Namespace/web'],
    },
  },
  dockerfile: {
    chunkerId: 'dockerfile-file-v1',
    symbol: '<dockerfile>',
    documentation: { units: 'the whole file', symbolForm: '<dockerfile>', examples: ['<dockerfile>'] },
  },
  toml: MANIFEST,
  json: MANIFEST,
  xml: MANIFEST,
  groovy: MANIFEST,
  'go-mod': MANIFEST,
} as const satisfies Readonly<Record<string, ManifestFormat>>;

/** A language that this plugin supports. */
export type ManifestLang = keyof typeof formats;

/** Whether this plugin supports a language. */
export function isManifestLang(lang: string): lang is ManifestLang {
  return Object.hasOwn(formats, lang);
}
