/**
 * The runtime keeps an id of the machine below the home folder and sends events of its use to its maker (onnxruntime-node 1.30), unless this
 * variable is set before its native part is loaded. That part reads the environment of the process, which assignments in a worker
 * thread do not reach: called in the thread that starts one.
 */
export function disableTelemetry(): void {
  // oxlint-disable-next-line no-restricted-properties -- written for native code, not read
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
}
