/** One second factor, whatever its kind, checked once for every path that needs one. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Transaction } from '../../db/index.ts';
import { failure, fieldError } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { type Ticket, verifyCode } from '../tickets.ts';
import type { TwoFactorMethod, User } from '../types.ts';
import { useTotpStep } from './authenticator.ts';
import { usePasskey } from './passkeys.ts';
import { useRecoveryCode } from './recovery-codes.ts';

/** The fields of a request that prove a factor. */
export interface FactorFields {
  readonly method: TwoFactorMethod;
  readonly validate_code?: string;
  readonly authenticator_code?: string;
  readonly recovery_code?: string;
  readonly passkey_credential?: AuthenticationResponseJSON;
}

export type FactorProof =
  | { readonly kind: 'email'; readonly method: TwoFactorMethod; readonly code: string }
  | { readonly kind: 'totp'; readonly method: TwoFactorMethod; readonly code: string }
  | { readonly kind: 'recovery'; readonly method: TwoFactorMethod; readonly code: string }
  | {
      readonly kind: 'passkey';
      readonly method: TwoFactorMethod;
      readonly response: AuthenticationResponseJSON;
    };

function required(field: string): never {
  throw fieldError(field, 'required', 'is required by this method');
}

/** Finds the field that the method needs; a recovery code stands in for a lost authenticator or passkey. @throws `invalid_parameter` */
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

export interface FactorContext {
  readonly user: User;
  readonly ticket: Ticket;
  /** The ticket itself, from which its email code derives. */
  readonly secret: string;
  readonly methods: readonly TwoFactorMethod[];
}

/**
 * Checks a proof and uses it up.
 * @returns how it was proven, for `amr`; undefined when the proof is wrong
 * @throws `method_unavailable`
 */
export async function verifyFactor(
  tx: Transaction,
  kit: IdentityContext,
  context: FactorContext,
  proof: FactorProof,
): Promise<string | undefined> {
  const { user, ticket, secret, methods } = context;
  if (!methods.includes(proof.method))
    throw failure('method_unavailable', { extra: { two_factor_methods: methods } });
  switch (proof.kind) {
    case 'email':
      return (await verifyCode(
        tx,
        kit.clock,
        ticket,
        kit.codes.isRight(secret, ticket.emailKey, proof.code),
      ))
        ? 'email'
        : undefined;
    case 'totp':
      return (await useTotpStep(tx, kit, user.userId, proof.code, true)) ? 'otp' : undefined;
    case 'recovery':
      return (await useRecoveryCode(tx, kit, user.userId, proof.code)) ? 'recovery' : undefined;
    case 'passkey':
      return usePasskey(tx, kit, ticket, user.userId, proof.response);
  }
}
