import { throwIfCancelled, type AbortOptions, type Entailment, type GroundednessChecker } from '@kebab/core';
import { CrossEncoder, wrongModelConfig, type CrossEncoderConfig, type CrossEncoderTask } from '@kebab/onnx-kit';

/** The plugin's name in errors. */
const PLUGIN = { name: '@kebab/plugin-nli-transformers', version: '0.1.0' } as const;

const TASK: CrossEncoderTask = {
  role: 'nli',
  passage: 'first', // the passage is the premise, the claim the hypothesis
  answers: 3,
  operation: 'checking claims',
  plugin: PLUGIN,
  kind: 'groundedness',
};

/**
 * Judges claims with a model that reads passage and claim together. For a passage longer than the window, the window with the highest
 * entailment decides, because support in one place is enough. For a claim that had to be split, the part with the lowest decides, because
 * all of it must be supported.
 */
export class TransformersChecker implements GroundednessChecker {
  readonly id = 'transformers';
  readonly version = '1.0.0';
  readonly #model: CrossEncoder;
  readonly #places: EntailmentPlaces;

  private constructor(model: CrossEncoder, places: EntailmentPlaces) {
    this.#model = model;
    this.#places = places;
  }

  /**
   * Locates the model; it is loaded on first use. Errors: `model_not_pulled` for a missing or damaged model, `config_invalid` for none, an
   * unknown one, one for another purpose, or one whose `config.json` does not name its labels entailment, neutral and contradiction.
   */
  static async open(config: CrossEncoderConfig): Promise<TransformersChecker> {
    const model = await CrossEncoder.open(config, TASK);
    const places = entailmentPlaces(model.labels);
    if (places !== null) return new TransformersChecker(model, places);
    const labels = model.labels === null ? 'not named' : model.labels.join(', ');
    throw wrongModelConfig(
      `the answers of ${model.modelId} are ${labels} in its config.json, not entailment, neutral and contradiction`,
      { key: 'models.nli.model' },
    );
  }

  fingerprint(): string {
    return `${this.id}@${this.version}+${this.#model.fingerprint()}`;
  }

  async check(
    claims: readonly string[],
    passages: readonly string[],
    options: AbortOptions = {},
  ): Promise<readonly (readonly Entailment[])[]> {
    throwIfCancelled(options.signal, TASK.operation);
    if (claims.length === 0 || passages.length === 0) return claims.map(() => []);
    const pairs = claims.flatMap((text) => passages.map((passage) => ({ text, passage })));
    const judged = (await this.#model.judge(pairs, options)).map((parts) => this.#decide(parts));
    return claims.map((_, n) => judged.slice(n * passages.length, (n + 1) * passages.length));
  }

  close(): Promise<void> {
    return this.#model.close();
  }

  #decide(parts: readonly (readonly Float32Array[])[]): Entailment {
    const best = parts.map((windows) =>
      windows
        .map((logits) => entailmentOf(logits, this.#places))
        .reduce((most, next) => (next.entailment > most.entailment ? next : most)),
    );
    return best.reduce((least, next) => (next.entailment < least.entailment ? next : least));
  }
}

/** The softmax of three logits, by label. */
export function entailmentOf(logits: ArrayLike<number>, places: EntailmentPlaces): Entailment {
  const at = (place: number): number => logits[place] ?? Number.NaN;
  const greatest = Math.max(at(0), at(1), at(2)); // subtracted so that no exponential overflows
  const powers = [0, 1, 2].map((place) => Math.exp(at(place) - greatest));
  const sum = powers.reduce((total, power) => total + power, 0);
  const share = (place: number): number => (powers[place] ?? Number.NaN) / sum;
  return {
    entailment: share(places.entailment),
    neutral: share(places.neutral),
    contradiction: share(places.contradiction),
  };
}

/** The index of each of the three labels in a model's output. */
type EntailmentPlaces = Readonly<Record<keyof Entailment, number>>;

/**
 * The indexes according to the labels in `config.json`, in any order and case. Null if the labels are not exactly these three; their
 * meaning is never guessed.
 */
export function entailmentPlaces(labels: readonly string[] | null): EntailmentPlaces | null {
  const names = labels?.map((label) => label.toLowerCase()) ?? [];
  const placeOf = (name: keyof Entailment): number => names.indexOf(name);
  const places = {
    entailment: placeOf('entailment'),
    neutral: placeOf('neutral'),
    contradiction: placeOf('contradiction'),
  };
  return names.length === 3 && Object.values(places).every((place) => place !== -1) ? places : null;
}
