/**
 * Passwords. What arrives is the MD5 of a password (the contract says so), so the MD5 is the password: it is stored
 * as argon2id over HMAC-SHA256(pepper, lower-case hex). argon2 runs in libuv's threads, never on the event loop.
 */
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { failure, invalidField } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** OWASP's first choice for argon2id: 19 MiB, two passes. */
export const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** More waiting than this is more than anybody would wait for. */
const QUEUE_MAX = 256;

export interface Passwords {
  hash(md5: string): Promise<string>;
  /** Compares; without a stored hash it does the same work and says no, so that time tells nothing about who exists. */
  verify(stored: string | undefined, md5: string): Promise<boolean>;
  /** True when a stored hash was made at another cost than today's. */
  isOutdated(stored: string): boolean;
}

export interface Argon2 {
  hash(password: string): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
}

const argon2id: Argon2 = {
  hash: (password) => hash(password, ARGON2_COST),
  verify: (stored, password) => verify(stored, password),
};

/** Runs at most one job per core at a time: more threads would only take turns, and take the event loop's turn too. */
function createGate(width: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= QUEUE_MAX) throw failure('unavailable', { detail: 'Too many sign-ins at once.', retryAfter_s: 2 });
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

let hasYielded = false;

/** The worker threads exist after the first hash. */
function yieldOnce(): void {
  if (hasYielded) return;
  hasYielded = true;
  yieldToEventLoop();
}

export function createPasswords(masterKey: MasterKey, argon2: Argon2 = argon2id): Passwords {
  const pepper = masterKey.derive('password-pepper');
  const gate = createGate(availableParallelism());
  const keyed = (md5: string): string => createHmac('sha256', pepper).update(md5.toLowerCase()).digest('hex');
  const hashOf = (md5: string): Promise<string> => gate(() => argon2.hash(keyed(md5)));
  let dummy: Promise<string> | undefined;
  return {
    hash: hashOf,
    async verify(stored, md5) {
      dummy ??= argon2.hash(keyed('dummy'));
      const hashed = stored ?? (await dummy);
      const isSame = await gate(() => argon2.verify(hashed, keyed(md5)));
      yieldOnce();
      return stored !== undefined && isSame;
    },
    isOutdated(stored) {
      const { memoryCost, timeCost } = parseOptions(stored);
      return memoryCost !== ARGON2_COST.memoryCost || timeCost !== ARGON2_COST.timeCost;
    },
  };
}

let common: Set<string> | undefined;

function commonPasswords(): Set<string> {
  common ??= new Set(
    readFileSync(new URL('./common-password-md5s.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n'),
  );
  return common;
}

function md5Of(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** Refuses what an attacker would try first: common passwords, and the person's own names. @throws `invalid_parameter` */
export function checkPasswordChoice(md5: string, own: readonly string[], field = 'login_password'): void {
  const lower = md5.toLowerCase();
  if (commonPasswords().has(lower)) throw invalidField(field, 'common_password', 'is the hash of a password that many people use');
  const names = own.flatMap((name) => [name, name.toLowerCase(), name.split('@')[0] ?? name]);
  if (names.some((name) => md5Of(name) === lower)) throw invalidField(field, 'guessable_password', 'is the hash of your own name or address');
}
