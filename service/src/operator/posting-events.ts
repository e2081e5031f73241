/** What events report postings, read from the ledger. */
import type { Db } from '../db/index.ts';
import type { DescribedPosting, PostingSource, Side } from '../events/index.ts';
import {
  type AccountRef,
  findLastEntriesBefore,
  idInShard,
  type PostedTransfer,
  placeInShard,
  readEntriesAfter,
  readPostings,
} from '../ledger/index.ts';
import { stringifyExact } from '../lib/exact-json.ts';
import { toReward } from './reward-form.ts';

type UserAccount = Extract<AccountRef, { userId: number }>;

/**
 * Type of event → the data that it shows to the person on one side of a posting; undefined: no
 * event.
 */
const DATA_OF: Readonly<
  Record<string, (posting: PostedTransfer, account: UserAccount) => unknown>
> = {
  'reward.posted': ({ rewardType, ...posting }, { userId }) =>
    rewardType && toReward({ ...posting, rewardType, userId }),
  'wallet.changed': (_posting, { wallet }) => ({ wallets: [wallet] }),
};

/** Describes the sides of postings that belong to people, for events of one type. */
async function describePostings(
  db: Db,
  type: string,
  transferIds: readonly number[],
  userIds?: readonly number[],
): Promise<DescribedPosting[]> {
  const toData = DATA_OF[type];
  if (!toData) throw new Error(`events of the type ${type} cannot be read from postings`);
  const people = userIds && new Set(userIds);
  const sidesOf = (posting: PostedTransfer): DescribedPosting[] =>
    [posting.debit, posting.credit].flatMap((account, side) => {
      if (!('userId' in account) || people?.has(account.userId) === false) return [];
      const data = toData(posting, account);
      if (data === undefined) return [];
      return {
        transferId: posting.transferId,
        side: side as Side,
        userId: account.userId,
        data: stringifyExact(data),
      };
    });
  return (await readPostings(db, transferIds, userIds)).flatMap(sidesOf);
}

/** Where the events of postings are read. */
export const POSTING_SOURCE: PostingSource = {
  idOf: ({ shard, n }) => idInShard(n, shard),
  placeOf: placeInShard,
  describe: describePostings,
  findWallets: findLastEntriesBefore,
  readEntries: readEntriesAfter,
};
