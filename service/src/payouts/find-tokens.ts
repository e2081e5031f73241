/** The tokens that payouts pay in. */
import type { Db } from '../db/index.ts';
import { showContract } from '../deposits/index.ts';

/** The token of a payout, as its network is configured now. */
export interface TokenNow {
  readonly decimals: number;
  /** With its checksum; undefined: the coin of the network. */
  readonly contract: string | undefined;
  readonly chainId: number | null;
  readonly addressPrefix: string | null;
}

type TokenRow = Omit<TokenNow, 'contract'> & {
  readonly id: number;
  readonly contract: string | null;
};

/** The tokens of payouts, by payout; none where the network has no such token now. */
export async function findTokens(db: Db, ids: readonly number[]): Promise<Map<number, TokenNow>> {
  const { rows } = await db.query<TokenRow>(
    `select payout.id, decimals, contract, chain_id as "chainId",
       address_prefix as "addressPrefix"
     from payout join token using (network, currency) join network on network.code = payout.network
     where payout.id = any($1::bigint[])`,
    [ids],
  );
  const shown = rows.map(
    async ({ id, contract, ...token }): Promise<[number, TokenNow]> => [
      id,
      { ...token, contract: await showContract(contract ?? undefined) },
    ],
  );
  return new Map(await Promise.all(shown));
}
