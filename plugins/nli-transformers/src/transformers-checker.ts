import { throwIfCancelled, type AbortOptions, type Entailment, type GroundednessChecker } from '@kebab/core';
import { CrossEncoder, wrongModelConfig, type CrossEncoderConfig, type CrossEncoderTask } from '@kebab/onnx-kit';
import { entailmentOf } from './entailment-of.ts';
import { entailmentPlaces, type EntailmentPlaces } from './entailment-places.ts';
import { PLUGIN } from './plugin-name.ts';

const TASK: CrossEncoderTask = {
  role: 'nli',
  passage: 'first', // it is the premise, the claim the hypothesis
  answers: 3,
  operation: 'checking claims',
  plugin: PLUGIN,
  kind: 'groundedness',
};

/**
 * Judges claims by a model that reads passage and claim together. Of a passage longer than its window, the window with the
 * greatest entailment decides: one place that says it is enough. Of a claim so long that it had to be parted, the part with
 * the least: all of it must be said.
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
   * Finds the model; it is loaded when something is checked. Errors: `model_not_pulled` for a model that is not there or
   * damaged, `config_invalid` for none, an unknown one, one for something else, or one whose `config.json` does not name
   * its answers entailment, neutral and contradiction.
   */
  static async open(config: CrossEncoderConfig): Promise<TransformersChecker> {
    const model = await CrossEncoder.open(config, TASK);
    const places = entailmentPlaces(model.labels);
    if (places !== null) return new TransformersChecker(model, places);
    const told = model.labels === null ? 'not named' : model.labels.join(', ');
    throw wrongModelConfig(
      `the answers of ${model.modelId} are ${told} in its config.json, not entailment, neutral and contradiction`,
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
