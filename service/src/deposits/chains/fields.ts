/** Fields of an untrusted answer; a value that is not exactly of its shape throws. */
import { malformed } from './json-rpc.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function parseObject(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed(name, value);
  return value as Fields;
}

export function parseList(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(name, value);
  return value;
}

export function parseText(shape: RegExp, value: unknown, name: string): string {
  if (typeof value !== 'string' || !shape.test(value)) throw malformed(name, value);
  return value;
}

/** A height, index or count, exact as a double. */
export function parseCount(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw malformed(name, value);
  return value;
}
