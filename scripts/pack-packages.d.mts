/** Packs what is published, all or the packages of some folders, and returns the tarballs by the name of the package. */
export function packAll(folder: string, places?: readonly string[]): Promise<Readonly<Record<string, string>>>;
