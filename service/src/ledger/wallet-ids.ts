/** A wallet's id packs its owner and kind, so that neither a table nor a lookup stands between a posting and its account. */
import type { AccountRef, WalletKind } from './types.ts';

/** Lanes of posting: chains of seals, and shards of the house's accounts. Fixed for good: ids are made of it. */
export const LANES = 16;
/** Wallets that a person can have: a wallet of a person has the id `userId * USER_KINDS + kindId`. */
export const USER_KINDS = 32;
/** Kinds from here on are the house's. */
export const FIRST_HOUSE_KIND = USER_KINDS;

export function walletOfUser(userId: number, kindId: number): number {
  return userId * USER_KINDS + kindId;
}

/** First and last id that a wallet of a person can have, of whatever kind. */
export function walletRangeOf(userId: number): [first: number, last: number] {
  return [walletOfUser(userId, 1), walletOfUser(userId, USER_KINDS - 1)];
}

/** The house's wallet of a kind in one lane. */
export function walletOfHouse(kindId: number, lane: number): number {
  return -(kindId * LANES + lane + 1);
}

/** Kind and owner of a wallet; `userId` is null for the house. */
export function readWalletId(walletId: number): { kindId: number; userId: number | null; lane: number | null } {
  if (walletId < 0) return { kindId: Math.floor((-walletId - 1) / LANES), userId: null, lane: (-walletId - 1) % LANES };
  return { kindId: walletId % USER_KINDS, userId: Math.floor(walletId / USER_KINDS), lane: null };
}

export function codeOf(ref: AccountRef): string {
  return 'house' in ref ? ref.house : ref.wallet;
}

export function walletOf(ref: AccountRef, kind: WalletKind, lane: number): number {
  return 'house' in ref ? walletOfHouse(kind.id, lane) : walletOfUser(ref.userId, kind.id);
}

/** Id of the n-th transfer (or hold step) of a lane. */
export function idInLane(n: number, lane: number): number {
  return n * LANES + lane + 1;
}
