/** Files with what this ledger signed, and what is kept outside of the database. */
import { readFileSync } from 'node:fs';
import type { SignedHead, SignedText } from '../ledger/index.ts';
import { CommandError } from './bootstrap.ts';

export interface Kept {
  readonly heads: readonly SignedHead[];
  readonly certificates: readonly SignedText[];
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
  );
}

function isHead(value: unknown): value is SignedHead {
  return hasTexts(value, ['day', 'body', 'signature', 'kid']);
}

function isCertificate(value: unknown): value is SignedText {
  return hasTexts(value, ['body', 'signature', 'kid']) && !isHead(value);
}

/**
 * A file with one head, or an array of them, as the API and `edge-account ledger head` give them.
 */
function readSigned<T>(path: string, isSigned: (value: unknown) => value is T, what: string): T[] {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const all = Array.isArray(content) ? content : [content];
    if (all.every(isSigned)) return all;
  } catch (error) {
    throw new CommandError(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  throw new CommandError(`${path} holds something else than ${what}`);
}

export function readHeads(path: string): SignedHead[] {
  return readSigned(path, isHead, 'signed heads');
}

export function readCertificates(path: string): SignedText[] {
  return readSigned(path, isCertificate, 'certificates of imports');
}

/** The public keys of a file with a JWK set (RFC 7517). */
export function readKeySet(path: string): Readonly<Record<string, unknown>>[] {
  const isKeySet = (value: unknown): value is { keys: Readonly<Record<string, unknown>>[] } =>
    typeof value === 'object' && value !== null && Array.isArray((value as { keys: unknown }).keys);
  return readSigned(path, isKeySet, 'public keys').flatMap(({ keys }) => keys);
}
