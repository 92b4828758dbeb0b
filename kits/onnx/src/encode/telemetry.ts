/**
 * Disables the telemetry of the runtime (onnxruntime-node 1.30), which stores a machine id below the home folder and sends usage events to
 * its vendor, unless this variable is set before its native part is loaded. That part reads the environment of the process, which
 * assignments in a worker thread do not change, so this is called in the thread that starts one.
 */
export function disableTelemetry(): void {
  // oxlint-disable-next-line no-restricted-properties -- written for native code, not read
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
}
