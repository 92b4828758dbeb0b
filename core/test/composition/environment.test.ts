import { describe, expect, it } from 'vitest';
import { environmentSwitches, placeOfProcess } from '../../src/composition/environment.ts';

describe('environmentSwitches', () => {
  it('are off by default', () => {
    expect(environmentSwitches({})).toEqual({ readonly: false, debug: false, traced: false });
    expect(environmentSwitches({ KEBAB_READONLY: '', KEBAB_LOG: ' ' })).toMatchObject({
      readonly: false,
      debug: false,
    });
  });

  it.each(['1', 'true', ' Yes ', 'on'])('KEBAB_READONLY=%s enables read-only mode', (text) => {
    expect(environmentSwitches({ KEBAB_READONLY: text }).readonly).toBe(true);
  });

  it.each(['0', 'false', ' no', 'OFF'])('KEBAB_READONLY=%s does not', (text) => {
    expect(environmentSwitches({ KEBAB_READONLY: text }).readonly).toBe(false);
  });

  it('KEBAB_LOG=debug enables the log', () => {
    expect(environmentSwitches({ KEBAB_LOG: 'debug' }).debug).toBe(true);
  });

  it.each<[Readonly<Record<string, string>>, boolean]>([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/v1/traces' }, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://c:4318' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_TRACES_EXPORTER: 'none' }, false],
  ])('%j asks for traces: %s', (env, traced) => expect(environmentSwitches(env).traced).toBe(traced));

  it.each([
    ['KEBAB_READONLY', 'maybe'],
    ['KEBAB_LOG', 'loud'],
    ['KEBAB_PROGRESS', 'fancy'],
  ])('rejects %s=%s, naming the variable', (variable, text) => {
    expect(() => environmentSwitches({ [variable]: text })).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: expect.stringMatching(`^${variable}: must be .*${text}`),
      }),
    );
  });
});

describe('placeOfProcess', () => {
  const gone = (): string => {
    throw Object.assign(new Error('ENOENT: no such file or directory, uv_cwd'), { code: 'ENOENT' });
  };
  const home = (): string => '/home/ann';

  it('is the working directory and the home directory', () => {
    expect(placeOfProcess({ cwd: () => '/work', homeDir: home })).toEqual({
      cwd: '/work',
      homeDir: '/home/ann',
      problem: null,
    });
  });

  it('reports a working directory that was deleted', () => {
    expect(placeOfProcess({ cwd: gone, homeDir: home })).toMatchObject({
      cwd: '/',
      problem: { code: 'io_error', message: 'the working directory does not exist any more' },
    });
  });

  it.each([
    ['', /HOME names no folder: it is empty/],
    ['ann', /HOME names no folder: "ann" is not an absolute path/],
    ['./here', /absolute/],
    ['~', /absolute/],
  ])('reports the home directory %j, and uses none instead', (written, message) => {
    const { homeDir, problem } = placeOfProcess({ cwd: () => '/work', homeDir: () => written });
    expect(homeDir).toBe('/');
    expect(problem).toMatchObject({ code: 'config_invalid', message: expect.stringMatching(message) as string });
  });

  it('reports a user without a home directory', () => {
    expect(placeOfProcess({ cwd: () => '/work', homeDir: gone }).problem).toMatchObject({ code: 'config_invalid' });
  });
});
