/**
 * Called between small steps of long work. It throws to stop the work, and may let other work of its thread go first.
 */
export type Checkpoint = () => void | Promise<void>;
