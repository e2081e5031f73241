/**
 * Passwords. What arrives is the MD5 of a password (the contract says so), so the MD5 is the password: it is stored
 * as argon2id over HMAC-SHA256(pepper, lower-case hex). argon2 runs in threads of its own, never on the event loop.
 */
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseOptions } from '@node-rs/argon2';
import type { Config } from '../config.ts';
import { fieldError } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { type Argon2, type Argon2Cost, createHashThreads } from './hashing/hash-threads.ts';

/** What a hash costs by the configuration. One lane: a sign-in takes one core. */
export function costOf(
  config: Pick<Config, 'PASSWORD_HASH_MEMORY' | 'PASSWORD_HASH_PASSES'>,
): Argon2Cost {
  return {
    memoryCost: config.PASSWORD_HASH_MEMORY,
    timeCost: config.PASSWORD_HASH_PASSES,
    parallelism: 1,
  };
}

export interface Passwords {
  hash(md5: string): Promise<string>;
  /** Compares; without a stored hash it does the same work and says no, so that time tells nothing about who exists. */
  verify(stored: string | undefined, md5: string): Promise<boolean>;
  /** True when a stored hash was made at another cost than today's. */
  isOutdated(stored: string): boolean;
}

let threads: Argon2 | undefined;

/** One pool for the process: the cores are shared too. */
function sharedThreads(): Argon2 {
  threads ??= createHashThreads();
  return threads;
}

export function createPasswords(
  masterKey: MasterKey,
  cost: Argon2Cost,
  argon2: Argon2 = sharedThreads(),
): Passwords {
  const pepper = masterKey.derive('password-pepper');
  const keyed = (md5: string): string =>
    createHmac('sha256', pepper).update(md5.toLowerCase()).digest('hex');
  let dummy: Promise<string> | undefined;
  function dummyHash(): Promise<string> {
    dummy ??= argon2.hash(keyed('dummy'), cost).catch((error: unknown) => {
      dummy = undefined;
      throw error;
    });
    return dummy;
  }
  return {
    hash: (md5) => argon2.hash(keyed(md5), cost),
    async verify(stored, md5) {
      const isSame = await argon2.verify(stored ?? (await dummyHash()), keyed(md5));
      return stored !== undefined && isSame;
    },
    isOutdated(stored) {
      const { memoryCost, timeCost } = parseOptions(stored);
      return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost;
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
export function checkPasswordChoice(
  md5: string,
  own: readonly string[],
  field = 'login_password',
): void {
  const lower = md5.toLowerCase();
  if (commonPasswords().has(lower))
    throw fieldError(field, 'common_password', 'is the hash of a password that many people use');
  const names = own.flatMap((name) => [name, name.toLowerCase(), name.split('@')[0] ?? name]);
  if (names.some((name) => md5Of(name) === lower))
    throw fieldError(field, 'guessable_password', 'is the hash of your own name or address');
}
