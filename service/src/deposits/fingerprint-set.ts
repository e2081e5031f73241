/** A set of texts that answers "surely not" or "perhaps": eight bytes each, whatever their length. */

const FIRST_SLOTS = 1024;
const FREE = 0;

/** FNV-1a with a closing mix; never the mark of a free slot. */
function fingerprintOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 13;
  return hash >>> 0 || 1;
}

export interface FingerprintSet {
  add(text: string): void;
  /** False: it was never added. True: it was, or another text has its fingerprint (one in 4,000 of a million). */
  mayHave(text: string): boolean;
}

export function createFingerprintSet(): FingerprintSet {
  let slots = new Uint32Array(FIRST_SLOTS);
  let size = 0;

  /** The slot that holds a fingerprint, or the free one where it belongs. */
  function slotOf(fingerprint: number): number {
    const mask = slots.length - 1;
    let at = fingerprint & mask;
    while (slots[at] !== FREE && slots[at] !== fingerprint) at = (at + 1) & mask;
    return at;
  }

  function grow(): void {
    const old = slots;
    slots = new Uint32Array(old.length * 2);
    for (const fingerprint of old)
      if (fingerprint !== FREE) slots[slotOf(fingerprint)] = fingerprint;
  }

  return {
    add(text) {
      const fingerprint = fingerprintOf(text);
      const at = slotOf(fingerprint);
      if (slots[at] === fingerprint) return;
      slots[at] = fingerprint;
      size++;
      // Half full at most: runs of taken slots stay short.
      if (size * 2 > slots.length) grow();
    },
    mayHave: (text) => slots[slotOf(fingerprintOf(text))] !== FREE,
  };
}
