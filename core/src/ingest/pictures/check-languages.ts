import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { KebabError } from '../../errors/kebab-error.ts';
import { nearestName } from '../../errors/nearest-name.ts';
import type { Ports } from '../../ports.ts';

/**
 * Throws `config_invalid` for a configured language that the OCR engine has no data for: every picture would fail over it, one by
 * one. An engine that cannot be used at all is not asked; the ingest says so itself.
 */
export async function checkOcrLanguages({
  ocrEngines,
  config: { ocr },
}: Pick<Ports, 'ocrEngines'> & { readonly config: Pick<ResolvedConfig, 'ocr'> }): Promise<void> {
  const { engine: id, languages } = ocr;
  if (!ocrEngines.names().some((named) => named.id === id)) return;
  const engine = await ocrEngines.get(id).catch(() => null);
  const present = await engine?.languages?.(languages);
  const missing = languages.find((language) => present?.includes(language) === false);
  if (present === undefined || missing === undefined) return;
  const suggestion = nearestName(missing, present) ?? null;
  const cause = `${id} has no data for the language ${JSON.stringify(missing)}; it has ${present.join(', ')}`;
  const ending = suggestion === null ? '' : `; did you mean ${suggestion}?`;
  const kept = languages
    .map((language) => (language === missing ? suggestion : language))
    .filter((one) => one !== null);
  const wanted = [...new Set(kept.filter((language) => present.includes(language)))];
  throw new KebabError('config_invalid', `ocr.languages: ${cause}${ending}`, {
    details: { path: null, key: 'ocr.languages', cause, suggestion },
    hint: `\`kebab config set ocr.languages ${(wanted.length === 0 ? present : wanted).join(',')}\`, or put ${missing}.traineddata where ${id} looks for it`,
  });
}
