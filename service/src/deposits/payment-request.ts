/** Payment links for wallets, and the warning beside an address. */
import { formatAmount } from '../lib/money.ts';
import type { Network, Token } from './networks.ts';

/** EIP-681 for EVM networks, BIP-21 for UTXO ones. */
export function paymentUri(network: Network, token: Token, address: string): string {
  if (network.kind === 'utxo') return `${network.uriScheme}:${address}`;
  const chain = `@${network.chainId}`;
  if (token.contract === undefined) return `${network.uriScheme}:${address}${chain}`;
  return `${network.uriScheme}:${token.contract}${chain}/transfer?address=${address}`;
}

/** Users lose money by choosing the wrong network, or by payments that are not recognised. */
export function warningText(network: Network, token: Token, scale: number): string {
  const minimum =
    token.minDeposit > 0n
      ? ` Less than ${formatAmount(token.minDeposit, scale)} ${token.currency} is not credited.`
      : '';
  const isCoin = network.kind === 'evm' && token.contract === undefined;
  const contract = isCoin
    ? ` ${token.currency} that a smart contract sends is not noticed: ` +
      'send it from an ordinary account.'
    : '';
  const identity =
    token.contract === undefined
      ? ''
      : ` The token's contract is ${token.contract}; others of the same name are not credited.`;
  return (
    `Send only ${token.currency} and only on the ${network.name} network to this address. ` +
    'What arrives on another network, or another token, may be lost for good.' +
    `${identity}${minimum}${contract}`
  );
}

/** How long crediting usually takes: the confirmations, one block each. */
export function estimatedSeconds(network: Network): number {
  return Math.max(1, Math.ceil((network.requiredConfirmations * network.block_ms) / 1000));
}

/** Page of a transaction in the network's explorer. */
export function explorerUrl(
  network: Pick<Network, 'explorerUrl'>,
  txHash: string,
): string | undefined {
  return network.explorerUrl?.replaceAll('{tx}', txHash);
}
