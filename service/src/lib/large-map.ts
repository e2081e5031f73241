/**
 * A map for more entries than one of JavaScript takes: that ends at 2^24 entries, and with deleted
 * ones among them at fewer. Entries are in parts; with one part it costs what a `Map` does.
 */

/** Half of what a `Map` takes, so that it can always drop deleted entries. */
const PART_MAX = 2 ** 23;

export class LargeMap<K, V> {
  readonly #partMax: number;
  readonly #parts: Map<K, V>[] = [new Map()];

  /** @param partMax entries of a part; tests have small ones */
  constructor(partMax = PART_MAX) {
    this.#partMax = partMax;
  }

  get size(): number {
    return this.#parts.reduce((sum, part) => sum + part.size, 0);
  }

  get(key: K): V | undefined {
    for (const part of this.#parts) {
      const value = part.get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  set(key: K, value: V): void {
    const part =
      this.#parts.find((one) => one.has(key)) ??
      this.#parts.find((one) => one.size < this.#partMax) ??
      this.#addPart();
    part.set(key, value);
  }

  #addPart(): Map<K, V> {
    const part = new Map<K, V>();
    this.#parts.push(part);
    return part;
  }

  /** Parts that become empty are given up. */
  delete(key: K): void {
    const at = this.#parts.findIndex((part) => part.delete(key));
    if (at > 0 && this.#parts[at]?.size === 0) this.#parts.splice(at, 1);
  }

  /** Entries may be deleted meanwhile. */
  *[Symbol.iterator](): IterableIterator<[K, V]> {
    for (const part of [...this.#parts]) yield* part;
  }
}
