/** One value for each object, made when it is first asked for, and gone with the object. */
export function perObject<Key extends WeakKey, Value>(
  create: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const made = values.get(key) ?? { value: create(key) };
    values.set(key, made);
    return made.value;
  };
}
