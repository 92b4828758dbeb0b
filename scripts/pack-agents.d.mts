/** Writes what agents install into a folder, which is emptied first. */
export function packAgents(folder: string): void;
