/** The proxies for servers on other machines, in the form of the variables that name them; an empty text names none. */
export interface ProxySettings {
  /** `HTTP_PROXY`. */
  readonly http: string;
  /** `HTTPS_PROXY`. */
  readonly https: string;
  /** `NO_PROXY`: hosts, domains, address ranges, each with or without a port, or `*`. */
  readonly except: string;
}

/**
 * Reads the proxies from the environment, where the variable in lower case takes precedence; undefined if it names none. `ALL_PROXY` stands
 * in for a missing one if it is an HTTP proxy, which it often is not.
 */
export function proxiesIn(env: Readonly<Record<string, string | undefined>>): ProxySettings | undefined {
  const valueOf = (name: string): string => (env[name] || env[name.toUpperCase()] || '').trim();
  const all = /^https?:/i.exec(valueOf('all_proxy'))?.input ?? '';
  const [http, https] = [valueOf('http_proxy') || all, valueOf('https_proxy') || all];
  return http === '' && https === '' ? undefined : { http, https, except: valueOf('no_proxy') };
}
