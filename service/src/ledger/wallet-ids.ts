/**
 * A wallet's id packs its owner and kind, so that neither a table nor a lookup stands between a
 * posting and its account.
 */
import type { AccountRef, WalletKind } from './types.ts';

/**
 * Shards of posting: chains of seals, and shards of the house's accounts. Fixed for good: ids are
 * made of it.
 */
export const SHARDS = 16;
/**
 * Kinds below this number are wallets of people, the others are house accounts. A wallet of a
 * person has the id `userId * USER_KINDS + kindId`.
 */
export const USER_KINDS = 32;

export function toUserWalletId(userId: number, kindId: number): number {
  return userId * USER_KINDS + kindId;
}

/** First and last id that a wallet of a person can have, of whatever kind. */
export function getUserWalletRange(userId: number): [first: number, last: number] {
  return [toUserWalletId(userId, 1), toUserWalletId(userId, USER_KINDS - 1)];
}

/** Below the bits for a cell, which is 0 (ADR 0069); kinds are below 2^15. */
const HOUSE_WALLETS = 2 ** 42;

/** The house's wallet of a kind in one shard. */
export function toHouseWalletId(kindId: number, shard: number): number {
  // Another shard would be one of the next kind.
  if (shard < 0 || shard >= SHARDS) throw new RangeError(`there is no shard ${shard}`);
  return -(kindId * SHARDS + shard + 1);
}

/** First and last id of the shards of a house account. */
export function getHouseWalletRange(kindId: number): [first: number, last: number] {
  return [toHouseWalletId(kindId, SHARDS - 1), toHouseWalletId(kindId, 0)];
}

/** Kind and owner of a wallet; `userId` is null for the house. */
export function readWalletId(walletId: number): {
  kindId: number;
  userId: number | null;
  shard: number | null;
} {
  if (walletId < 0) {
    const n = (-walletId - 1) % HOUSE_WALLETS;
    return { kindId: Math.floor(n / SHARDS), userId: null, shard: n % SHARDS };
  }
  return { kindId: walletId % USER_KINDS, userId: Math.floor(walletId / USER_KINDS), shard: null };
}

export function getWalletCode(ref: AccountRef): string {
  return 'house' in ref ? ref.house : ref.wallet;
}

export function toWalletId(ref: AccountRef, kind: WalletKind, shard: number): number {
  return 'house' in ref ? toHouseWalletId(kind.id, shard) : toUserWalletId(ref.userId, kind.id);
}

/** Id of the n-th transfer (or hold step) of a shard. */
export function idInShard(n: number, shard: number): number {
  return n * SHARDS + shard + 1;
}
