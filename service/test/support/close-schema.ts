/** A JSON schema that refuses members without a name in it. */

export type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const OPEN = ['additionalProperties', 'unevaluatedProperties'];
const BRANCHES: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const INNER: ReadonlySet<string> = new Set(['items', 'additionalProperties']);

/**
 * Closes each object whose members the schema names, unless it says otherwise, and puts shared
 * schemas in place of references such as `Device#`.
 */
export function closeSchema(root: Schema, shared: Readonly<Record<string, unknown>>): Schema {
  /** `isPart`: the schema describes some members, and the schema around it names others. */
  function close(schema: Schema, isPart: boolean): Schema {
    const { $id: _, $ref, ...known } = schema;
    if (typeof $ref === 'string') return close(shared[$ref.replace(/#$/, '')] as Schema, isPart);
    const names = 'properties' in known || 'allOf' in known;
    const isClosed = names && !isPart && !OPEN.some((key) => key in known);
    const members = Object.entries(known).map(([key, value]) => [
      key,
      closeMember(key, value, names || isPart),
    ]);
    return { ...Object.fromEntries(members), ...(isClosed && { unevaluatedProperties: false }) };
  }

  function closeMember(key: string, value: unknown, isPart: boolean): unknown {
    if (BRANCHES.has(key) && Array.isArray(value)) return value.map((each) => close(each, isPart));
    if (INNER.has(key) && isSchema(value)) return close(value, false);
    if (key !== 'properties' || !isSchema(value)) return value;
    const properties = Object.entries(value).map(([name, each]) => [
      name,
      close(each as Schema, false),
    ]);
    return Object.fromEntries(properties);
  }

  return close(root, false);
}
