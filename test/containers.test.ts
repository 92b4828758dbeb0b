import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../host-cli/src/cli/command-table.ts';
import { builtins } from '@kebab/builtins';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { keyTableWith } from '../core/src/config/key-table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string): string => readFileSync(root + name, 'utf8');

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly healthcheck?: Readonly<Record<string, unknown>>;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const services = Object.entries(compose.services);
const steps = read('Dockerfile').replaceAll('\\\n', ' ').split('\n');

describe('docker-compose.yml', () => {
  it('has a profile for a team: PostgreSQL, Qdrant, both servers and a worker', () => {
    const team = services.filter(([, { profiles }]) => profiles === undefined || profiles.includes('team'));
    expect(team.map(([name]) => name).toSorted()).toEqual(['kebab', 'page', 'postgres', 'qdrant', 'worker']);
  });

  it.each(services)('names only what exists in the service %s', (_, service) => {
    expect((service.image ?? service.build) !== undefined).toBe(true);
    if (service.build !== undefined) expect(existsSync(`${root}${service.build}/Dockerfile`)).toBe(true);
    for (const name of Object.keys(service.depends_on ?? {})) {
      expect(Object.keys(compose.services)).toContain(name);
      expect(compose.services[name]?.healthcheck).toBeDefined();
    }
    const named = (service.volumes ?? []).flatMap((volume) => /^([a-z]+):/.exec(volume)?.[1] ?? []);
    for (const volume of named) expect(Object.keys(compose.volumes)).toContain(volume);
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it('runs commands and sets settings that kebab has', () => {
    const keys = keyTableWith(
      builtins.flatMap(({ manifest: { section } }) => (section === undefined ? [] : [section])),
    );
    const variables = keys.keys.map(({ name }) => `KEBAB_${name.replaceAll('.', '_').toUpperCase()}`);
    for (const [, { command, environment, build }] of services) {
      if (build === undefined) continue;
      expect(COMMANDS.map(({ name }) => name)).toContain(command?.[0]);
      for (const variable of Object.keys(environment ?? {})) expect(variables).toContain(variable);
    }
  });

  it('pins the version of every image', () => {
    const images = services.flatMap(([, { image }]) => image ?? []);
    expect(images.filter((image) => !/:v?\d/.test(image))).toEqual([]);
  });
});

describe('Dockerfile', () => {
  it('copies only what exists, and leaves out what is made again', () => {
    const [, ...scripts] = /node (scripts\/\S+)/.exec(steps.join('\n')) ?? [];
    for (const script of scripts) expect(existsSync(root + script)).toBe(true);
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.git', '**/node_modules', '**/dist']));
    const { bin } = JSON.parse(read('host-cli/package.json')) as { readonly bin: Readonly<Record<string, string>> };
    const [entry = ''] = JSON.parse(steps.find((step) => step.startsWith('ENTRYPOINT'))?.slice(11) ?? '[]') as string[];
    expect(Object.keys(bin)).toContain(entry.split('/').at(-1));
  });

  it('ends in a small image that does not run as root, and says whether it is healthy', () => {
    const last = steps.slice(steps.findLastIndex((step) => step.startsWith('FROM')));
    expect(last[0]).toMatch(/-slim$/);
    expect(last).toContain('USER node');
    expect(last.some((step) => step.startsWith('HEALTHCHECK') && step.includes('/healthz'))).toBe(true);
    expect(last.filter((step) => step.startsWith('COPY')).every((step) => step.includes('--from=build'))).toBe(true);
  });

  it('runs a command that kebab has', () => {
    const [command] = JSON.parse(steps.find((step) => step.startsWith('CMD'))?.slice(4) ?? '[]') as readonly string[];
    expect(COMMANDS.map(({ name }) => name)).toContain(command);
  });
});
