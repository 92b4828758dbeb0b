export { LoopbackHub, type HubFaults, type HubRequest } from './loopback-hub.ts';
export { writeOnnx, type OnnxGraph, type OnnxNode, type OnnxValueShape } from './onnx-writer.ts';
export { sharedModel } from './shared-models.ts';
export { tinyOverlap, tinyWords, writeTinyCrossEncoder, type TinyCrossEncoderOptions } from './tiny-cross-encoder.ts';
export {
  TINY_WORDS,
  tinyTable,
  writeTinyModel,
  writeTinyTable,
  type TinyModelOptions,
  type TinyTensor,
} from './tiny-model.ts';
