/** Requests of many parts of a page at one moment, as one. */

interface Batch<Key, Value> {
  readonly keys: Set<Key>;
  readonly answer: Promise<ReadonlyMap<Key, Value>>;
}

/**
 * @param ask finds up to `atMost` values by their keys; what it does not find is absent
 * @returns finds one, with all others that are asked for at this moment
 */
export function gather<Key, Value>(
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
  atMost: number,
): (key: Key) => Promise<Value | undefined> {
  let open: Batch<Key, Value> | undefined;
  function begin(): Batch<Key, Value> {
    const keys = new Set<Key>();
    const answer = Promise.resolve().then(() => {
      if (open?.keys === keys) open = undefined;
      return ask([...keys]);
    });
    return { keys, answer };
  }
  return async (key) => {
    if (!open || open.keys.size >= atMost) open = begin();
    const { keys, answer } = open;
    keys.add(key);
    return (await answer).get(key);
  };
}
