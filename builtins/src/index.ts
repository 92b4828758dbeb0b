import type { BuiltinPlugin, PluginManifest } from '@kebab/core/app';
import codeC from '@kebab/plugin-code-c/package.json' with { type: 'json' };
import codeCpp from '@kebab/plugin-code-cpp/package.json' with { type: 'json' };
import codeGo from '@kebab/plugin-code-go/package.json' with { type: 'json' };
import codeJava from '@kebab/plugin-code-java/package.json' with { type: 'json' };
import codeJavascript from '@kebab/plugin-code-javascript/package.json' with { type: 'json' };
import codeKotlin from '@kebab/plugin-code-kotlin/package.json' with { type: 'json' };
import codePython from '@kebab/plugin-code-python/package.json' with { type: 'json' };
import codeRust from '@kebab/plugin-code-rust/package.json' with { type: 'json' };
import codeTypescript from '@kebab/plugin-code-typescript/package.json' with { type: 'json' };
import embedTransformers from '@kebab/plugin-embed-transformers/package.json' with { type: 'json' };
import embedOllama from '@kebab/plugin-embed-ollama/package.json' with { type: 'json' };
import imageOcr from '@kebab/plugin-image-ocr/package.json' with { type: 'json' };
import llmOllama from '@kebab/plugin-llm-ollama/package.json' with { type: 'json' };
import llmOpenai from '@kebab/plugin-llm-openai/package.json' with { type: 'json' };
import manifests from '@kebab/plugin-manifests/package.json' with { type: 'json' };
import md from '@kebab/plugin-md/package.json' with { type: 'json' };
import nliTransformers from '@kebab/plugin-nli-transformers/package.json' with { type: 'json' };
import { pdfSection } from '@kebab/plugin-pdf/config';
import pdf from '@kebab/plugin-pdf/package.json' with { type: 'json' };
import plainText from '@kebab/plugin-plain-text/package.json' with { type: 'json' };
import rerankTransformers from '@kebab/plugin-rerank-transformers/package.json' with { type: 'json' };
import storeSqlite from '@kebab/plugin-store-sqlite/package.json' with { type: 'json' };
import vectorsLocal from '@kebab/plugin-vectors-local/package.json' with { type: 'json' };
import { qdrantSection } from '@kebab/plugin-vectors-qdrant/config';
import vectorsQdrant from '@kebab/plugin-vectors-qdrant/package.json' with { type: 'json' };

/** The plugins that come with kebab. Their manifests are data; their code is loaded when one of them is first used. */
export const builtins: readonly BuiltinPlugin[] = [
  { manifest: manifestOf(md), load: () => import('@kebab/plugin-md') },
  { manifest: manifestOf(plainText), load: () => import('@kebab/plugin-plain-text') },
  { manifest: manifestOf(codeRust), load: () => import('@kebab/plugin-code-rust') },
  { manifest: manifestOf(codePython), load: () => import('@kebab/plugin-code-python') },
  { manifest: manifestOf(codeC), load: () => import('@kebab/plugin-code-c') },
  { manifest: manifestOf(codeCpp), load: () => import('@kebab/plugin-code-cpp') },
  { manifest: manifestOf(codeGo), load: () => import('@kebab/plugin-code-go') },
  { manifest: manifestOf(codeJava), load: () => import('@kebab/plugin-code-java') },
  { manifest: manifestOf(codeJavascript), load: () => import('@kebab/plugin-code-javascript') },
  { manifest: manifestOf(codeKotlin), load: () => import('@kebab/plugin-code-kotlin') },
  { manifest: manifestOf(codeTypescript), load: () => import('@kebab/plugin-code-typescript') },
  { manifest: manifestOf(manifests), load: () => import('@kebab/plugin-manifests') },
  { manifest: manifestOf(pdf), section: pdfSection, load: () => import('@kebab/plugin-pdf') },
  { manifest: manifestOf(imageOcr), load: () => import('@kebab/plugin-image-ocr') },
  { manifest: manifestOf(storeSqlite), load: () => import('@kebab/plugin-store-sqlite') },
  { manifest: manifestOf(embedTransformers), load: () => import('@kebab/plugin-embed-transformers') },
  { manifest: manifestOf(vectorsLocal), load: () => import('@kebab/plugin-vectors-local') },
  { manifest: manifestOf(vectorsQdrant), section: qdrantSection, load: () => import('@kebab/plugin-vectors-qdrant') },
  { manifest: manifestOf(embedOllama), load: () => import('@kebab/plugin-embed-ollama') },
  { manifest: manifestOf(llmOllama), load: () => import('@kebab/plugin-llm-ollama') },
  { manifest: manifestOf(llmOpenai), load: () => import('@kebab/plugin-llm-openai') },
  { manifest: manifestOf(rerankTransformers), load: () => import('@kebab/plugin-rerank-transformers') },
  { manifest: manifestOf(nliTransformers), load: () => import('@kebab/plugin-nli-transformers') },
];

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly kebab: {
    readonly apiVersion: number;
    readonly contributes: PluginManifest['contributes'];
    readonly permissions: { readonly fs: string; readonly net: readonly string[]; readonly spawn: readonly string[] };
  };
}

function manifestOf({ name, version, kebab }: PackageJson): PluginManifest {
  const permissions = kebab.permissions as PluginManifest['permissions']; // the type of a JSON file widens literals
  return { name, version, apiVersion: kebab.apiVersion, contributes: kebab.contributes, permissions };
}
