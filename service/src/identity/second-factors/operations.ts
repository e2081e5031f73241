/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('second-factors', {
  getRelatedOrigins: {
    summary: 'Related origins of the passkeys',
    description: 'Read by browsers (WebAuthn 3, related origin requests).',
  },
  listSecondFactors: {
    summary: 'Second factors of the signed-in user',
    description:
      'The authenticator, the passkeys, the recovery codes that are left, and whether EMAIL is ' +
      'on.',
  },
  startAuthenticatorEnrolment: {
    summary: 'Start to enrol an authenticator',
    description:
      'Answers a secret and its `otpauth` URI for a QR code. It counts once its first code is ' +
      'confirmed. Needs a fresh proof (`/me/reauthenticate`).',
    failures: ['already_enrolled', 'reauthentication_required', 'not_found'],
  },
  confirmAuthenticator: {
    summary: 'Enrol the authenticator with its first code',
    description:
      'With the first strong factor recovery codes are issued, which are shown this once.',
    failures: [
      'already_enrolled',
      'invalid_code',
      'reauthentication_required',
      'rate_limited',
      'not_found',
    ],
  },
  removeAuthenticator: {
    summary: 'Remove the authenticator',
    description: 'Needs a fresh proof (`/me/reauthenticate`). The body may be left out.',
    failures: ['reauthentication_required', 'not_found'],
  },
  createPasskeyOptions: {
    summary: 'Start to add a passkey',
    description:
      'Options for `navigator.credentials.create`. Needs a fresh proof (`/me/reauthenticate`).',
    failures: ['reauthentication_required', 'not_found'],
  },
  addPasskey: {
    summary: 'Add the passkey',
    description:
      'Takes the result of `navigator.credentials.create`. With the first strong factor ' +
      'recovery codes are issued, which are shown this once.',
    failures: ['already_enrolled', 'reauthentication_required', 'not_found'],
  },
  deletePasskey: {
    summary: 'Remove a passkey',
    description: 'Needs a fresh proof (`/me/reauthenticate`). The body may be left out.',
    failures: ['reauthentication_required'],
  },
  replaceRecoveryCodes: {
    summary: 'Replace the recovery codes',
    description:
      'Answers new codes once; those before are void. Needs a strong factor and a fresh proof ' +
      '(`/me/reauthenticate`).',
    failures: ['method_unavailable', 'reauthentication_required', 'not_found'],
  },
  updateEmailFactor: {
    summary: 'Turn EMAIL on or off beside a strong factor',
    description:
      'A person with an authenticator or a passkey may refuse codes by mail as a second ' +
      'factor. Needs a fresh proof (`/me/reauthenticate`).',
    failures: ['method_unavailable', 'reauthentication_required', 'not_found'],
  },
});
