const NO_HEADINGS: readonly string[] = Object.freeze([]);

interface Section {
  readonly level: number;
  readonly path: readonly string[];
}

/** Keeps the headings in force while a document is read. Every section has one path, shared by all that asks for it. */
export class SectionPath {
  readonly #sections: Section[] = [];

  /** The path of what stands here. */
  get current(): readonly string[] {
    return this.#sections.at(-1)?.path ?? NO_HEADINGS;
  }

  /** Enters the section of a heading, and answers the path of the heading itself. A heading without words adds nothing. */
  enter(level: number, heading: string): readonly string[] {
    while ((this.#sections.at(-1)?.level ?? 0) >= level) this.#sections.pop();
    const parent = this.current;
    this.#sections.push({ level, path: heading === '' ? parent : [...parent, heading] });
    return parent;
  }
}
