/** Signing keys: storage, rotation, and the live set of each instance. */
export { createRetiredKeyRemoval } from './delete-retired-keys.ts';
export { SIGNING_ALGORITHMS, type SigningAlgorithm } from './encrypted-signing-key.ts';
export { measureKeyAges } from './key-ages.ts';
export { KeyRing, type KeySet, listKeys } from './key-ring.ts';
export { dropKey, type KeyPolicy, maintainKeys, rotateKeys } from './rotate-keys.ts';
