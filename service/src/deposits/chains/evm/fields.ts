/** Reading fields of an untrusted answer; anything that is not exactly what it should be throws. */
import { malformed } from '../json-rpc.ts';

export type Fields = Readonly<Record<string, unknown>>;

const HASH = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;
const DATA = /^0x([0-9a-fA-F]{2})*$/;

export function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed(name, value);
  return value as Fields;
}

export function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(name, value);
  return value;
}

/** Text of one shape in lower case, as nodes send it; some send capitals. */
function lowerCaseOf(shape: RegExp, value: unknown, name: string): string {
  if (typeof value !== 'string') throw malformed(name, value);
  if (shape.test(value)) return value;
  const lower = `0x${value.slice(2).toLowerCase()}`;
  if (!value.startsWith('0x') || !shape.test(lower)) throw malformed(name, value);
  return lower;
}

/** 32 bytes, lower case. */
export function hashOf(value: unknown, name: string): string {
  return lowerCaseOf(HASH, value, name);
}

/** 20 bytes, lower case. */
export function addressKeyOf(value: unknown, name: string): string {
  return lowerCaseOf(ADDRESS, value, name);
}

export function bigOf(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw malformed(name, value);
  return BigInt(value);
}

/** A height, index or status: a whole number that is exact as a double. */
export function numberOf(value: unknown, name: string): number {
  const number = Number(bigOf(value, name));
  if (!Number.isSafeInteger(number)) throw malformed(name, value);
  return number;
}

export function dataOf(value: unknown, name: string): string {
  if (typeof value !== 'string' || !DATA.test(value)) throw malformed(name, value);
  return value.toLowerCase();
}
