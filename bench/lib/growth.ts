/** The maximum growth exponent of an operation by the number of documents: linear, or nearly constant. */
export const MAX_EXPONENT = { linear: 1.1, flat: 0.5 };
/** How much more memory the largest ingest may take than one of 5,000 documents. */
export const MAX_GROWTH_MB = 100;

export type Growth = keyof typeof MAX_EXPONENT;

/** The cost of one operation. */
export interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The peak memory of the largest process; 0 if the system does not report it. */
  readonly peakMb: number;
}

/** The cost of an operation with a number of documents. */
export interface Sample extends Cost {
  readonly size: number;
}

/** The cost of an operation at each size, and its growth. */
export interface Row {
  readonly name: string;
  readonly growth: Growth;
  readonly samples: readonly Sample[];
  /** The exponent of the CPU time, minus that of starting the command. */
  readonly exponent: number;
  readonly isOver: boolean;
}

/** The name of the empty program whose cost is the unit for the costs of commands. */
export const NODE = 'node -e 0';
/** The name of the operation that every other command contains. */
export const START = 'start (--version)';

/** The name of the operation whose memory is limited by {@link MAX_GROWTH_MB}. */
export const INGEST_TEXT = 'ingest, text';
/** The prefix of operations on a running server. */
export const MCP = 'MCP search:';

/** Collects the costs of operations. */
export class CostTable {
  readonly #rows = new Map<string, { readonly growth: Growth; readonly samples: Sample[] }>();

  add(name: string, growth: Growth, sample: Sample): void {
    const row = this.#rows.get(name) ?? { growth, samples: [] };
    row.samples.push(sample);
    this.#rows.set(name, row);
  }

  samples(name: string): readonly Sample[] {
    return this.#rows.get(name)?.samples ?? [];
  }

  rows(): readonly Row[] {
    return [...this.#rows].map(([name, { growth, samples }]) => {
      const exponent =
        name === START || name === NODE ? 0 : slopeOf(samples.map((sample) => this.#aboveStart(name, sample)));
      return { name, growth, samples, exponent, isOver: exponent > MAX_EXPONENT[growth] };
    });
  }

  /** The maximum additional memory of an operation in MB compared with 5,000 documents, or with the fewest if there are no more. */
  memoryGrowth(name = INGEST_TEXT): { readonly from: number; readonly to: number; readonly mb: number } | null {
    const peaks = this.samples(name);
    const [base, largest] = [peaks.find(({ size }) => size >= 5000) ?? peaks[0], peaks.at(-1)];
    if (base === undefined || largest === undefined) return null;
    return { from: base.size, to: largest.size, mb: largest.peakMb - base.peakMb };
  }

  #aboveStart(name: string, { size, cpuMs }: Sample): { readonly size: number; readonly value: number } {
    const isCommand = !name.startsWith(MCP);
    const start = isCommand ? (this.samples(START).find((one) => one.size === size)?.cpuMs ?? 0) : 0;
    return { size, value: Math.max(MIN_MS, cpuMs - start) };
  }
}

/** Smaller differences cannot be measured. */
const MIN_MS = 5;

/** The slope of the straight line through the logarithms: the exponent of a power law. */
function slopeOf(points: readonly { readonly size: number; readonly value: number }[]): number {
  const logs = points.map(({ size, value }) => [Math.log(size), Math.log(value)] as const);
  const mean = (at: 0 | 1): number => logs.reduce((sum, pair) => sum + pair[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  const variance = logs.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}
