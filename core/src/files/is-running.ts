/** Whether a process has this number; one that belongs to another user counts, and so does one that has ended but was not waited for. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
