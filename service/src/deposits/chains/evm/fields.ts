/** Fields of answers of EVM endpoints, which write numbers and bytes as hex. */
import { parseCount, parseText } from '../fields.ts';

const HASH = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;
const DATA = /^0x([0-9a-fA-F]{2})*$/;

/** Most endpoints send lower case, which is then not copied. */
const parseLowerCase = (shape: RegExp, value: unknown, name: string): string =>
  typeof value === 'string' && shape.test(value)
    ? value
    : parseText(shape, parseData(value, name), name);

/** 32 bytes, lower case. */
export const parseHash = (value: unknown, name: string): string =>
  parseLowerCase(HASH, value, name);

/** 20 bytes, lower case. */
export const parseAddressKey = (value: unknown, name: string): string =>
  parseLowerCase(ADDRESS, value, name);

export const parseQuantity = (value: unknown, name: string): bigint =>
  BigInt(parseText(QUANTITY, value, name));

/** A height, index or status. */
export const parseNumber = (value: unknown, name: string): number =>
  parseCount(Number(parseQuantity(value, name)), name);

export const parseData = (value: unknown, name: string): string =>
  parseText(DATA, value, name).toLowerCase();
