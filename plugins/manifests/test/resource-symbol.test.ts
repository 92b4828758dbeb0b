import { describe, expect, it } from 'vitest';
import { resourceSymbol } from '../src/resource-symbol.ts';

describe('the symbol of a Kubernetes resource', () => {
  it.each([
    ['apiVersion: v1\nkind: Namespace\nmetadata:\n  name: web\n', 'Namespace/web'],
    ['apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: kebab, namespace: web }\n', 'Deployment/web/kebab'],
    ['--- # one\n"apiVersion": v1\n"kind": "Pod"\n"metadata": {"name": "a"}\n', 'Pod/a'],
    ['{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}', 'Pod/a'],
    ['kind: Job\napiVersion: batch/v1\nmetadata: { generateName: run- }\n', 'Job/run-'],
    ['apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a]\n', 'Kustomization'],
    ['apiVersion: v1\nkind: Pod\nmetadata: { name: 7 }\n', 'Pod/7'],
    ['apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: 설정\n', 'ConfigMap/설정'],
  ])('%j is %s', async (source, symbol) => {
    expect(await resourceSymbol(source)).toBe(symbol);
  });

  it.each([
    '',
    'name: values\nimage: kebab\n',
    'apiVersion: v1\n# kind\n',
    'kind: Pod\n# apiVersion\n',
    '- apiVersion: v1\n  kind: Pod\n',
    'apiVersion: v1\nkind: Pod\nmetadata: [\n',
    'apiVersion: v1\nkind: Pod\nkind: Pod\n',
    'apiVersion: {{ .Values.api }}\nkind: Pod\n',
    'apiVersion: {a: b}\nkind: Pod\n',
    `apiVersion: v1\nkind: ${'['.repeat(100_000)}\n`,
    `apiVersion: v1\nkind: Pod\nx: ${'y'.repeat(1_100_000)}\n`,
  ])('%.40j is none', async (source) => {
    expect(await resourceSymbol(source)).toBeNull();
  });
});
