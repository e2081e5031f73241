/** Verifies that a wallet signed a message. */
import { verify } from 'node:crypto';
import type { RunOnChain } from '../types.ts';
import VALIDATOR from './signature-validator.json' with { type: 'json' };
import { decodeKey, type Wallet } from './wallet-chains.ts';

/** What comes before an ed25519 key in its DER form (RFC 8410 4). */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

function verifyEd25519({ address }: Wallet, message: string, signature: string): boolean {
  const key = decodeKey(address);
  if (!key) return false;
  const der = Buffer.concat([ED25519_PREFIX, key]);
  return verify(
    null,
    Buffer.from(message),
    { key: der, format: 'der', type: 'spki' },
    Buffer.from(signature.slice(2), 'hex'),
  );
}

/** Some wallets end a signature by the parity alone, instead of 27 or 28. */
function withRecoveryByte(signature: string): string {
  const parity = /^0x[0-9a-f]{128}0([01])$/.exec(signature)?.[1];
  return parity === undefined
    ? signature
    : `${signature.slice(0, -2)}${parity === '0' ? '1b' : '1c'}`;
}

const VALIDATOR_ABI = [
  {
    type: 'constructor',
    inputs: [
      { name: 'signer', type: 'address' },
      { name: 'hash', type: 'bytes32' },
      { name: 'signature', type: 'bytes' },
    ],
  },
] as const;

/** Whether the key of the address signed. @param signature lower-case hex that begins with `0x` */
export async function isSignedByKey(
  wallet: Wallet,
  message: string,
  signature: string,
): Promise<boolean> {
  if (wallet.chain === 'solana') return verifyEd25519(wallet, message, signature);
  // Loaded at first use: the curve and hash libraries stay out of the start.
  const { eip191Signer } = await import('micro-eth-signer');
  try {
    const signer = eip191Signer.recoverAddress(withRecoveryByte(signature), message);
    return signer === wallet.address;
  } catch {
    // It is no signature of a key: a contract may accept it.
    return false;
  }
}

/**
 * Whether a contract on the chain of the wallet says that the signature is valid: one that is
 * deployed (EIP-1271), or that the signature says how to deploy (EIP-6492).
 * @param signature lower-case hex that begins with `0x`
 */
export async function isSignedByContract(
  { chain, address, chainId }: Wallet,
  message: string,
  { signature, run }: { readonly signature: string; readonly run: RunOnChain },
): Promise<boolean> {
  if (chain === 'solana') return false;
  const { eip191Signer } = await import('micro-eth-signer');
  const { deployContract } = await import('micro-eth-signer/abi.js');
  const code = deployContract(VALIDATOR_ABI, VALIDATOR.bytecode, {
    signer: address,
    hash: Buffer.from(eip191Signer.getHash(message).slice(2), 'hex'),
    signature: Buffer.from(signature.slice(2), 'hex'),
  });
  return (await run(chainId, code)) === '0x01';
}
