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
  /** Sparse vectors, by dimension. */
  readonly sparse: Readonly<Record<string, ReadonlyMap<number, number>>>;
  readonly payload: Json;
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const badInput = (message: string): Refusal => new Refusal(400, `Wrong input: ${message}`);

const READING: ReadonlySet<string> = new Set([
  'GET ',
  'POST /points',
  'POST /points/count',
  'POST /points/scroll',
  'POST /points/query',
]);

/** One collection of the double. */
export class FakeCollection {
  /** The configuration as requested. */
  readonly config: Json;
  readonly points = new Map<string, Point>();
  readonly schema: Record<string, { readonly data_type: string; readonly points: number }> = {};

  /** The points by key and value of their indexed payloads, until something is written. */
  #lists: ReadonlyMap<string, readonly Point[]> | undefined;
  readonly #keep: (sent: Point) => Point | null;

  /** It confirms every point but stores what `keep` returns for it, or nothing. */
  constructor(config: Json, keep: (sent: Point) => Point | null = (sent) => sent) {
    this.config = config;
    this.#keep = keep;
  }

  answer(call: string, body: Json): unknown {
    if (!READING.has(call)) this.#lists = undefined;
    switch (call) {
      case 'GET ':
        return this.#describe();
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
      const named = Object.entries<Json>(vector);
      const dense = named.filter(([, v]) => Array.isArray(v)).map(([name, v]) => [name, unit(this.#sized(name, v))]);
      const sparse = named.filter(([, v]) => !Array.isArray(v)).map(([name, v]) => [name, this.#sparse(name, v)]);
      const vectors = { vector: Object.fromEntries(dense), sparse: Object.fromEntries(sparse) };
      return { id: pointId(id), payload: payload ?? {}, ...vectors };
    });
    for (const kept of points.map(this.#keep)) if (kept !== null) this.points.set(kept.id, kept); // atomic: every point was checked above
    return { operation_id: 0, status: 'completed' };
  }

  #query({ query, using, filter, limit = 10, with_payload: selector }: Json): readonly Json[] {
    const scoreOf = Array.isArray(query) ? this.#denseScore(using, query) : this.#sparseScore(using, query);
    return this.#matching(filter)
      .flatMap((point) => {
        const score = scoreOf(point);
        return score === undefined ? [] : [{ point, score }];
      })
      .toSorted((a, b) => b.score - a.score || (a.point.id < b.point.id ? -1 : 1))
      .slice(0, limit)
      .map(({ point, score }) => ({ id: point.id, version: 0, score, payload: selected(point.payload, selector) }));
  }

  #denseScore(using: string, query: readonly number[]): (point: Point) => number | undefined {
    const nearest = unit(this.#sized(using, query));
    return ({ vector }) => dot(nearest, vector[using] ?? []);
  }

  /** Points that share no dimension with the query are not found. */
  #sparseScore(using: string, query: Json): (point: Point) => number | undefined {
    const weights = this.#sparse(using, query);
    return ({ sparse }) => {
      const own = sparse[using];
      let score: number | undefined;
      for (const [dimension, weight] of weights) {
        const value = own?.get(dimension);
        if (value !== undefined) score = Math.fround((score ?? 0) + weight * value);
      }
      return score;
    };
  }

  #sparse(name: string, { indices, values }: Json): ReadonlyMap<number, number> {
    if (this.config.sparse_vectors?.[name] === undefined) throw badInput(`Not existing vector name error: ${name}`);
    const isValid = indices.length === values.length && new Set(indices).size === indices.length;
    const isInRange = indices.every((one: number) => Number.isInteger(one) && one >= 0 && one <= 0xffffffff);
    if (!isValid || !isInRange) throw new Refusal(422, 'Validation error in JSON body: must be unique indices');
    return new Map(indices.map((one: number, at: number) => [one, Math.fround(values[at])]));
  }

  #scroll({ limit = 10, offset, filter, with_payload: selector = true, with_vector: isWanted = false }: Json): Json {
    const from = offset === undefined || offset === null ? '' : pointId(offset);
    const rest = this.#matching(filter ?? {})
      .filter(({ id }) => id >= from)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
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
    return this.#candidates(filter).filter(
      (point) => must.every((meets) => meets(point)) && !mustNot.some((meets) => meets(point)),
    );
  }

  /** The points that may match, from the shortest of the lists that an indexed payload has for them. */
  #candidates({ must = [] }: Json): readonly Point[] {
    const lists = (must as readonly Json[])
      .filter(({ key, match }) => match?.any !== undefined && this.schema[key] !== undefined)
      .map(({ key, match }): readonly Point[] => [
        ...new Set((match.any as readonly Json[]).flatMap((value) => this.#postings().get(`${key} ${value}`) ?? [])),
      ]);
    return lists.toSorted((a, b) => a.length - b.length)[0] ?? [...this.points.values()];
  }

  #postings(): ReadonlyMap<string, readonly Point[]> {
    if (this.#lists !== undefined) return this.#lists;
    const lists = new Map<string, Point[]>();
    for (const point of this.points.values())
      for (const key of Object.keys(this.schema))
        for (const value of new Set([point.payload?.[key]].flat())) {
          const list = lists.get(`${key} ${value}`);
          if (list === undefined) lists.set(`${key} ${value}`, [point]);
          else list.push(point);
        }
    return (this.#lists = lists);
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
