/** Whether a state knows what its wallet has sent: an older copy of a state does not. */
import { SetupError } from '../open-signer.ts';
import type { UtxoDeps } from './signer.ts';

const ADVICE = 'restore the state, or set documents_since to now (see the README)';

/**
 * The change of a transaction that this state has not signed, or a coin that one in the pool
 * spends, is of another state: that may have paid what the service hands over. Documents from
 * before `documents_since` are refused, so it must be later than all that the state has accepted.
 * What is found then is known from there on.
 * @throws SetupError
 */
export async function checkState({ config, state, node, wallet, coins }: UtxoDeps): Promise<void> {
  await coins.scan();
  const { known } = coins;
  const unknown = new Set(
    known.map(({ txid }) => txid).filter((hash) => !state.knowsTransaction(hash)),
  );
  const outside = await node.listSpending([...unknown], wallet);
  const { isEmpty, lastAcceptedAt } = state;
  if (isEmpty || Date.parse(config.documents_since) > lastAcceptedAt) {
    state.noteOutside(outside.map((tx_hash) => ({ tx_hash })));
    return;
  }
  const [first] = outside;
  if (first !== undefined)
    throw new SetupError(`the wallet has sent ${first}, which this state does not know: ${ADVICE}`);
  const waiting = known.filter((coin) => !state.isGivenBack(coin));
  const unspent = await node.readUnspent(waiting, { withPool: true });
  const spent = waiting.find((_coin, at) => unspent[at] === undefined);
  if (!spent) return;
  const coin = `${spent.txid}:${spent.vout}`;
  throw new SetupError(
    `the pool spends ${coin}, which this state has given to no payout: ${ADVICE}`,
  );
}
