/** Verifies one second factor of any kind. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Transaction } from '../../db/index.ts';
import { failure, fieldError } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { verifyCode } from '../ticket-proofs.ts';
import type { Ticket } from '../tickets.ts';
import type { TwoFactorMethod, User } from '../types.ts';
import { useTotpStep } from './authenticator.ts';
import { usePasskey } from './passkeys.ts';
import { useRecoveryCode } from './recovery-codes.ts';

/** The fields of a request with a factor. */
export interface FactorFields {
  readonly method: TwoFactorMethod;
  readonly validate_code?: string;
  readonly authenticator_code?: string;
  readonly recovery_code?: string;
  readonly passkey_credential?: AuthenticationResponseJSON;
}

export type FactorProof =
  | {
      readonly kind: 'email' | 'totp' | 'recovery';
      readonly method: TwoFactorMethod;
      readonly code: string;
    }
  | {
      readonly kind: 'passkey';
      readonly method: TwoFactorMethod;
      readonly response: AuthenticationResponseJSON;
    };

function required(field: string): never {
  throw fieldError(field, 'required', 'is required for this method');
}

/**
 * Finds the field of the method; a recovery code replaces an authenticator or passkey.
 * @throws `invalid_parameter`
 */
export function readProof(fields: FactorFields): FactorProof {
  const { method } = fields;
  if (method === 'EMAIL')
    return { kind: 'email', method, code: fields.validate_code ?? required('validate_code') };
  if (fields.recovery_code !== undefined)
    return { kind: 'recovery', method, code: fields.recovery_code };
  if (method === 'AUTHENTICATOR')
    return {
      kind: 'totp',
      method,
      code: fields.authenticator_code ?? required('authenticator_code'),
    };
  return {
    kind: 'passkey',
    method,
    response: fields.passkey_credential ?? required('passkey_credential'),
  };
}

export interface FactorTarget {
  readonly user: User;
  readonly ticket: Ticket;
  /** The secret of the ticket, from which its email code is derived. */
  readonly secret: string;
  readonly methods: readonly TwoFactorMethod[];
}

/**
 * Verifies a proof and uses it up.
 * @returns the kind of proof, for `amr`; undefined when it is wrong
 * @throws `method_unavailable`
 */
export async function verifyFactor(
  tx: Transaction,
  context: IdentityContext,
  { user, ticket, secret, methods }: FactorTarget,
  proof: FactorProof,
): Promise<string | undefined> {
  if (!methods.includes(proof.method))
    throw failure('method_unavailable', { extra: { two_factor_methods: methods } });
  switch (proof.kind) {
    case 'email': {
      const isRight = context.codes.isRight(secret, ticket.emailKey, proof.code);
      return (await verifyCode(tx, context.clock, ticket, isRight)) ? 'email' : undefined;
    }
    case 'totp':
      return (await useTotpStep(tx, context, user.userId, { code: proof.code, isConfirmed: true }))
        ? 'otp'
        : undefined;
    case 'recovery':
      return (await useRecoveryCode(tx, context, user.userId, proof.code)) ? 'recovery' : undefined;
    case 'passkey':
      return usePasskey(tx, context, { ticket, userId: user.userId, response: proof.response });
  }
}
