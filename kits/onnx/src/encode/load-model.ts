import type { EmbedInput } from '@kebab/core';
import { type Checkpoint, loadTextModel, type TextModelSpec } from './text-model.ts';
import type { PairModelSpec, PassagePair } from './pair-model.ts';

/** A model and its task; plain data. */
export type ModelProgram =
  | { readonly kind: 'embed'; readonly spec: TextModelSpec }
  | { readonly kind: 'judge'; readonly spec: PairModelSpec };

/** The inputs of a program: texts to embed, or pairs to judge. */
export type ModelInput = EmbedInput | PassagePair;

/** The output for an input: a vector or null, or the logits of the parts of a pair. */
export type ModelAnswer = Float32Array | null | readonly Float32Array[];

/** A loaded model for any task. Its inputs are those of its program. */
export interface LoadedModel {
  /** The length of a vector, or of the output for a pair. */
  readonly dimensions: number;
  run(inputs: readonly ModelInput[], checkpoint: Checkpoint): Promise<readonly ModelAnswer[]>;
  release(): Promise<void>;
}

/** Loads the model of a program into this thread. Throws a `ModelStageError`. */
export async function loadModel(program: ModelProgram): Promise<LoadedModel> {
  switch (program.kind) {
    case 'embed': {
      const model = await loadTextModel(program.spec);
      return {
        dimensions: model.dimensions,
        run: (inputs, checkpoint) => model.embed(inputs as readonly EmbedInput[], checkpoint),
        release: () => model.release(),
      };
    }
    case 'judge': {
      const { PairModel } = await import('./pair-model.ts');
      const model = await PairModel.open(program.spec);
      return {
        dimensions: program.spec.answers,
        run: (inputs, checkpoint) => model.logits(inputs as readonly PassagePair[], checkpoint),
        release: () => model.release(),
      };
    }
    default:
      return program satisfies never;
  }
}
