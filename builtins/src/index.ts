import { bundledPlugin, type BuiltinPlugin } from '@kebab/core/app';
import claims from '@kebab/plugin-claims/package.json' with { type: 'json' };
import codeC from '@kebab/plugin-code-c/package.json' with { type: 'json' };
import codeCpp from '@kebab/plugin-code-cpp/package.json' with { type: 'json' };
import codeGo from '@kebab/plugin-code-go/package.json' with { type: 'json' };
import codeJava from '@kebab/plugin-code-java/package.json' with { type: 'json' };
import codeJavascript from '@kebab/plugin-code-javascript/package.json' with { type: 'json' };
import codeKotlin from '@kebab/plugin-code-kotlin/package.json' with { type: 'json' };
import codePython from '@kebab/plugin-code-python/package.json' with { type: 'json' };
import codeRust from '@kebab/plugin-code-rust/package.json' with { type: 'json' };
import codeTypescript from '@kebab/plugin-code-typescript/package.json' with { type: 'json' };
import csv from '@kebab/plugin-csv/package.json' with { type: 'json' };
import embedTransformers from '@kebab/plugin-embed-transformers/package.json' with { type: 'json' };
import embedOllama from '@kebab/plugin-embed-ollama/package.json' with { type: 'json' };
import html from '@kebab/plugin-html/package.json' with { type: 'json' };
import imageOcr from '@kebab/plugin-image-ocr/package.json' with { type: 'json' };
import ipynb from '@kebab/plugin-ipynb/package.json' with { type: 'json' };
import llmOllama from '@kebab/plugin-llm-ollama/package.json' with { type: 'json' };
import llmOpenai from '@kebab/plugin-llm-openai/package.json' with { type: 'json' };
import manifests from '@kebab/plugin-manifests/package.json' with { type: 'json' };
import md from '@kebab/plugin-md/package.json' with { type: 'json' };
import nliTransformers from '@kebab/plugin-nli-transformers/package.json' with { type: 'json' };
import pdf from '@kebab/plugin-pdf/package.json' with { type: 'json' };
import plainText from '@kebab/plugin-plain-text/package.json' with { type: 'json' };
import rerankTransformers from '@kebab/plugin-rerank-transformers/package.json' with { type: 'json' };
import sourceS3 from '@kebab/plugin-source-s3/package.json' with { type: 'json' };
import storePostgres from '@kebab/plugin-store-postgres/package.json' with { type: 'json' };
import storeSqlite from '@kebab/plugin-store-sqlite/package.json' with { type: 'json' };
import vectorsLocal from '@kebab/plugin-vectors-local/package.json' with { type: 'json' };
import vectorsQdrant from '@kebab/plugin-vectors-qdrant/package.json' with { type: 'json' };

/** The plugins bundled with kebab. Their manifests are data; the code of a plugin is loaded on first use. */
export const builtins: readonly BuiltinPlugin[] = [
  bundledPlugin(md, () => import('@kebab/plugin-md')),
  bundledPlugin(plainText, () => import('@kebab/plugin-plain-text')),
  bundledPlugin(codeRust, () => import('@kebab/plugin-code-rust')),
  bundledPlugin(codePython, () => import('@kebab/plugin-code-python')),
  bundledPlugin(codeC, () => import('@kebab/plugin-code-c')),
  bundledPlugin(codeCpp, () => import('@kebab/plugin-code-cpp')),
  bundledPlugin(codeGo, () => import('@kebab/plugin-code-go')),
  bundledPlugin(codeJava, () => import('@kebab/plugin-code-java')),
  bundledPlugin(codeJavascript, () => import('@kebab/plugin-code-javascript')),
  bundledPlugin(codeKotlin, () => import('@kebab/plugin-code-kotlin')),
  bundledPlugin(codeTypescript, () => import('@kebab/plugin-code-typescript')),
  bundledPlugin(manifests, () => import('@kebab/plugin-manifests')),
  bundledPlugin(html, () => import('@kebab/plugin-html')),
  bundledPlugin(csv, () => import('@kebab/plugin-csv')),
  bundledPlugin(ipynb, () => import('@kebab/plugin-ipynb')),
  bundledPlugin(pdf, () => import('@kebab/plugin-pdf')),
  bundledPlugin(imageOcr, () => import('@kebab/plugin-image-ocr')),
  bundledPlugin(sourceS3, () => import('@kebab/plugin-source-s3')),
  bundledPlugin(storeSqlite, () => import('@kebab/plugin-store-sqlite')),
  bundledPlugin(storePostgres, () => import('@kebab/plugin-store-postgres')),
  bundledPlugin(embedTransformers, () => import('@kebab/plugin-embed-transformers')),
  bundledPlugin(vectorsLocal, () => import('@kebab/plugin-vectors-local')),
  bundledPlugin(vectorsQdrant, () => import('@kebab/plugin-vectors-qdrant')),
  bundledPlugin(embedOllama, () => import('@kebab/plugin-embed-ollama')),
  bundledPlugin(llmOllama, () => import('@kebab/plugin-llm-ollama')),
  bundledPlugin(llmOpenai, () => import('@kebab/plugin-llm-openai')),
  bundledPlugin(rerankTransformers, () => import('@kebab/plugin-rerank-transformers')),
  bundledPlugin(claims, () => import('@kebab/plugin-claims')),
  bundledPlugin(nliTransformers, () => import('@kebab/plugin-nli-transformers')),
];
