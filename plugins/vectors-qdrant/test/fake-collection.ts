/** Parsed JSON, as loose as the real server accepts it. */
// oxlint-disable-next-line typescript/no-explicit-any -- a double takes whatever is sent
export type Json = any;

/** A response other than 200. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A point of the double. */
export interface Point {
  readonly id: string;
  readonly vector: Readonly<Record<string, readonly number[]>>;
  readonly payload: Json;
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const badInput = (message: string): Refusal => new Refusal(400, `Wrong input: ${message}`);

/** One collection of the double. */
export class FakeCollection {
  /** The configuration as requested. */
  config: Json;
  readonly points = new Map<string, Point>();
  readonly schema: Record<string, { readonly data_type: string; readonly points: number }> = {};

  readonly #keep: (sent: Point) => Point | null;

  /** It confirms every point but stores what `keep` returns for it, or nothing. */
  constructor(config: Json, keep: (sent: Point) => Point | null = (sent) => sent) {
    this.config = config;
    this.#keep = keep;
  }

  answer(call: string, body: Json): unknown {
    switch (call) {
      case 'GET ':
        return this.#describe();
      case 'PATCH ':
        this.config = { ...this.config, ...body.params };
        return true;
      case 'PUT /index':
        this.schema[body.field_name] = { data_type: body.field_schema, points: this.points.size };
        return { operation_id: 0, status: 'completed' };
      case 'PUT /points':
        return this.#put(body.points);
      case 'POST /points':
        return (body.ids as readonly Json[]).flatMap((id) => this.points.get(pointId(id)) ?? []);
      case 'POST /points/delete':
        for (const { id } of this.#matching(body.filter)) this.points.delete(id);
        return { operation_id: 0, status: 'completed' };
      case 'POST /points/count':
        return { count: this.#matching(body.filter).length };
      case 'POST /points/scroll':
        return this.#scroll(body);
      case 'POST /points/query':
        return { points: this.#query(body) };
      default:
        throw new Refusal(404, 'Not found');
    }
  }

  #describe(): Json {
    const { vectors, quantization_config: quantization = null, ...params } = this.config;
    return {
      status: 'green',
      points_count: this.points.size,
      config: { params: { vectors, ...params }, quantization_config: quantization },
      payload_schema: this.schema,
    };
  }

  #put(sent: readonly Json[]): Json {
    const points = sent.map(({ id, vector, payload }): Point => {
      const units = Object.entries<readonly number[]>(vector).map(([name, v]) => [name, unit(this.#sized(name, v))]);
      return { id: pointId(id), payload: payload ?? {}, vector: Object.fromEntries(units) };
    });
    for (const kept of points.map(this.#keep)) if (kept !== null) this.points.set(kept.id, kept); // atomic: every point was checked above
    return { operation_id: 0, status: 'completed' };
  }

  #query({ query, using, filter, limit = 10, with_payload: selector }: Json): readonly Json[] {
    const nearest = unit(this.#sized(using, query));
    return this.#matching(filter)
      .map((point) => ({ point, score: dot(nearest, point.vector[using] ?? []) }))
      .toSorted((a, b) => b.score - a.score || (a.point.id < b.point.id ? -1 : 1))
      .slice(0, limit)
      .map(({ point, score }) => ({ id: point.id, version: 0, score, payload: selected(point.payload, selector) }));
  }

  #scroll({ limit = 10, offset, with_payload: selector = true, with_vector: isWanted = false }: Json): Json {
    const from = offset === undefined || offset === null ? '' : pointId(offset);
    const rest = [...this.points.values()].filter(({ id }) => id >= from).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const points = rest.slice(0, limit).map(({ id, payload, vector }) => ({
      id,
      payload: selected(payload, selector),
      ...(isWanted === true ? { vector } : {}),
    }));
    return { points, next_page_offset: rest[limit]?.id ?? null };
  }

  #sized(name: string, vector: readonly number[]): readonly number[] {
    const size = this.config.vectors[name]?.size;
    if (size === undefined) throw badInput(`Not existing vector name error: ${name}`);
    if (vector.length !== size) throw badInput(`Vector dimension error: expected dim: ${size}, got ${vector.length}`);
    return vector;
  }

  #matching(filter: Json = {}): readonly Point[] {
    const must = (filter.must ?? []).map(conditionOf) as readonly ((point: Point) => boolean)[];
    const mustNot = (filter.must_not ?? []).map(conditionOf) as readonly ((point: Point) => boolean)[];
    return [...this.points.values()].filter(
      (point) => must.every((meets) => meets(point)) && !mustNot.some((meets) => meets(point)),
    );
  }
}

function conditionOf(condition: Json): (point: Point) => boolean {
  const { has_id: ids, key, match, range } = condition;
  if (ids !== undefined) {
    const wanted = new Set(ids.map(pointId));
    return ({ id }) => wanted.has(id);
  }
  const valuesOf = ({ payload }: Point): readonly Json[] => [payload?.[key]].flat().filter((value) => value != null);
  if (match?.any !== undefined) {
    const any = new Set(match.any);
    return (point) => valuesOf(point).some((value) => any.has(value));
  }
  if (range?.gte !== undefined) return (point) => valuesOf(point).some((value) => value >= range.gte);
  throw new Refusal(400, `this double does not know the condition ${JSON.stringify(condition)}`);
}

/** A point id is a UUID; 32 hex digits are accepted too, and are returned with dashes. */
function pointId(id: Json): string {
  if (typeof id !== 'string' || !UUID.test(id))
    throw new Refusal(
      400,
      `Format error in JSON body: value ${JSON.stringify(id)} is not a valid point ID, valid values are either an unsigned integer or a UUID`,
    );
  const hex = id.replaceAll('-', '').toLowerCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function selected(payload: Json, selector: Json): Json {
  if (selector === true) return payload;
  if (!Array.isArray(selector) || payload === null) return undefined;
  return Object.fromEntries(selector.filter((key) => key in payload).map((key) => [key, payload[key]]));
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/** With cosine distance the server stores unit vectors, and returns those. */
function unit(vector: readonly number[]): readonly number[] {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((x) => Math.fround(x / length));
}
