/** Validation of the metadata of clients; the library takes all that is accepted here. */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { type Outgoing, OutgoingError } from '../../http/index.ts';
import { fieldError } from '../../lib/failures.ts';
import { SIGNING_ALGORITHMS } from '../keys/index.ts';
import type { ClientMetadata } from './metadata.ts';

const LIFETIME_MIN_S = 60;
/** Addresses that the service itself requests. */
const FETCHED = ['backchannel_logout_uri', 'jwks_uri', 'logo_uri'] as const;
const RSA_BITS_MIN = 2048;

/** A public key of a kind that signatures are accepted of. */
function isUsableKey(jwk: JsonWebKey): boolean {
  if (jwk.d !== undefined || jwk.kty === 'oct') return false;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({
      key: jwk,
      format: 'jwk',
    });
    if (asymmetricKeyType === 'rsa')
      return (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN;
    return asymmetricKeyType === 'ec' || asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

/** Rules between fields: whether one is broken, the field, the message. */
function listRules(
  metadata: ClientMetadata,
  isPublic: boolean,
): readonly (readonly [boolean, keyof ClientMetadata, string])[] {
  const keys = metadata.jwks?.keys ?? [];
  const hasUri = (metadata.jwks_uri ?? '') !== '';
  const hasKeys = keys.length > 0 || hasUri;
  const signsIn = metadata.token_endpoint_auth_method === 'private_key_jwt';
  const isTooShort = (seconds = 0): boolean => seconds > 0 && seconds < LIFETIME_MIN_S;
  return [
    [
      !keys.every((jwk) => isUsableKey(jwk as JsonWebKey)),
      'jwks',
      'must hold public keys: RSA of 2048 bits or more, EC, or Ed25519',
    ],
    [keys.length > 0 && hasUri, 'jwks_uri', 'excludes jwks'],
    [
      signsIn && isPublic,
      'token_endpoint_auth_method',
      'private_key_jwt needs a confidential client',
    ],
    [signsIn && !hasKeys, 'jwks', 'or jwks_uri is required with private_key_jwt'],
    [
      metadata.require_signed_request_object === true && !hasKeys,
      'jwks',
      'or jwks_uri is required for signed requests',
    ],
    [
      !SIGNING_ALGORITHMS.includes(metadata.id_token_signed_response_alg ?? 'RS256'),
      'id_token_signed_response_alg',
      `is one of ${SIGNING_ALGORITHMS.join(', ')}`,
    ],
    [isTooShort(metadata.access_token_lifetime), 'access_token_lifetime', 'is at least 60'],
    [isTooShort(metadata.refresh_token_lifetime), 'refresh_token_lifetime', 'is at least 60'],
  ];
}

/** What users may be led to. Another spelling could be shown otherwise than it is opened. */
function checkLinks(metadata: ClientMetadata): void {
  for (const field of ['policy_uri', 'tos_uri'] as const) {
    const uri = metadata[field] ?? '';
    const isPlain = /^https:\/\/[^/@\\]+(\/[\x21-\x5b\x5d-\x7e]*)?$/.test(uri) && URL.canParse(uri);
    if (uri !== '' && !isPlain) throw fieldError(field, field, 'must be https');
  }
}

/** @throws `invalid_parameter` naming the field */
export function checkMetadata(metadata: ClientMetadata, isPublic: boolean): void {
  checkLinks(metadata);
  for (const field of FETCHED)
    if (
      !/^(https:\/\/[^/]|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]|$)/.test(
        metadata[field] ?? '',
      )
    )
      throw fieldError(field, field, 'must be https');
  for (const [isBroken, field, message] of listRules(metadata, isPublic))
    if (isBroken) throw fieldError(field, field, message);
}

/** Refuses addresses that the service cannot reach. @throws `invalid_parameter` */
export function checkMetadataUrls(metadata: ClientMetadata, outgoing: Outgoing): void {
  for (const field of FETCHED) {
    const uri = metadata[field] ?? '';
    try {
      if (uri !== '') outgoing.checkUrl(uri);
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      throw fieldError(field, error.problem, error.message);
    }
  }
}
