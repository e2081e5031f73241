/** Requests and responses of the sign-in with wallets. */
import Type from 'typebox';
import { StringEnum } from '../../http/index.ts';

export const WalletOrder = Type.Object({
  chain: StringEnum(['ethereum', 'solana'], 'Ethereum and its kin, or Solana.'),
  address: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The address that signs: hex that begins with 0x, or base58.',
  }),
  chain_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The chain of a contract wallet (EIP-155), whose signature needs a network of that chain ' +
        'at this service. Default: 1.',
    }),
  ),
});

export const StartedChallenge = Type.Object({
  challenge: Type.String({ description: 'Sent back with the signature, within ten minutes.' }),
  message: Type.String({
    description: 'What the wallet signs (EIP-4361): by `personal_sign`, or as UTF-8 by ed25519.',
  }),
});

export const SignedChallenge = Type.Object({
  challenge: Type.String({ minLength: 1, maxLength: 4096 }),
  signature: Type.String({
    pattern: '^0x([0-9a-fA-F]{2}){64,8192}$',
    description: 'In hex: 65 bytes of a key, 64 of ed25519, or what a contract wallet gives.',
  }),
});
