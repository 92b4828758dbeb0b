import { invalidInput, printable, type ModelList, type ModelPull, type VectorsCopied } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { reporting } from '../command/reporting.ts';
import { drawnProgress } from '../progress/drawn-line.ts';
import { bytesText, counted } from '../screen/shown-values.ts';
import type { Screen } from '../screen/screen.ts';
import { padWidth, textWidth } from '../screen/text-width.ts';

/** `kebab models list`: models, whether they are present, and which are configured. */
export const modelsList = reporting((app) => app.modelList(), renderList);

/** `kebab models pull`: downloads a model. An interrupted download continues where it stopped. */
export async function modelsPull(context: CommandContext): Promise<void> {
  const { io, json, signal, values } = context;
  const model = values.arg('MODEL') === '' ? undefined : values.arg('MODEL');
  const app = await context.openApp();
  const line = drawnProgress(context);
  const onProgress = (event: ModelPull): void => {
    if (json) context.printJson(event);
    line.draw(() => pullText(event));
  };
  const last = await app.modelPull(model, { signal, onProgress }).finally(() => line.erase());
  const place = last.path === null ? '' : `: ${last.path}`;
  if (!json) io.stdout.line(`${last.model} is present${place}`);
}

/** The progress of a download, in one line. */
function pullText({ model, bytes_done: done, bytes_total: total }: ModelPull): string {
  if (total === null) return `${model}  ${bytesText(done)}`;
  const percent = total === 0 ? 100 : Math.floor((done * 100) / total);
  return `${model}  ${percent} %  ${bytesText(done)} of ${bytesText(total)}`;
}

const PROVIDER_COLUMNS = 12;

/** Models by their roles, one per line: whether it is present, its provider and size, and whether it is configured. */
function renderList({ models }: ModelList, { colors }: Screen): string {
  if (models.length === 0) return 'no models\n';
  const roles = [...new Set(models.map(({ role }) => role))];
  return roles
    .map((role) => {
      const ofRole = models.filter((model) => model.role === role);
      const width = Math.max(...ofRole.map(({ id }) => textWidth(id)));
      const lines = ofRole.map((model) => renderModel(model, width, colors));
      return `${colors.bold(printable(role))}\n${lines.join('')}`;
    })
    .join('\n');
}

function renderModel(
  { id, provider, present, bytes, configured }: ModelList['models'][number],
  width: number,
  colors: Screen['colors'],
): string {
  const mark = present ? colors.green('✓') : colors.dim('-');
  const parts = [
    padWidth(provider, PROVIDER_COLUMNS),
    ...(configured ? ['configured'] : []),
    ...(bytes === null ? [] : [bytesText(bytes)]),
  ];
  return `${mark} ${[padWidth(id, width), ...parts].join('  ').trimEnd()}\n`;
}

/** `kebab vectors copy`: copies all vectors to another vector store, so that nothing is embedded again. */
export async function vectorsCopy(context: CommandContext): Promise<void> {
  const request = { from: required(context, 'from'), to: required(context, 'to') };
  const app = await context.openApp();
  context.show(await app.copyVectors(request, { signal: context.signal }), renderCopied);
}

function required({ values }: CommandContext, flag: string): string {
  const value = values.text(flag);
  if (value !== undefined) return value;
  throw invalidInput(`vectors copy needs --${flag}`, {
    field: `--${flag}`,
    hint: 'for example `kebab vectors copy --from local --to qdrant`',
  });
}

/** The copied vectors, one line per collection, and how to use the copy. */
function renderCopied({ from, to, collections }: VectorsCopied): string {
  if (collections.length === 0) return `${printable(from)} holds no vectors of this knowledge base\n`;
  const lines = collections.map(
    ({ collection, vectors }) => `copied    ${printable(collection)}  ${counted(vectors, 'vector')}`,
  );
  const hint = `hint      set storage.vector_store = "${printable(to)}" (or KEBAB_STORAGE_VECTOR_STORE) to search there`;
  return `${lines.join('\n')}\n${hint}\n`;
}
