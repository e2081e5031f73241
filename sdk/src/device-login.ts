/** Device authorization (RFC 8628): for devices without a browser. */
import {
  type LoginRequest,
  type OAuthOptions,
  requestJson,
  requestTokens,
  type TokenSet,
  toLoginParameters,
} from './oauth.ts';
import { EdgeError } from './problem.ts';

/** RFC 8628: the default interval, and what `slow_down` adds to it. */
const SLOWER_S = 5;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export interface DeviceLogin {
  /** The user types it in the console. */
  readonly userCode: string;
  readonly verificationUri: string;
  /** The same including the code: for a QR code. */
  readonly verificationUriComplete: string;
  readonly expiresIn_s: number;
  /** Resolves when the user has approved. @throws EdgeError `access_denied`, `expired_token` */
  wait(signal?: AbortSignal): Promise<TokenSet>;
}

interface DeviceAuthorization {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete?: string;
  readonly expires_in: number;
  readonly interval?: number;
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** The interval before the next poll; undefined when the refusal is final. */
function intervalAfter(
  { code, status, retryAfter_s = 0 }: EdgeError,
  interval_s: number,
): number | undefined {
  if (code === 'slow_down') return interval_s + SLOWER_S;
  if (status === 429) return Math.max(interval_s, retryAfter_s);
  return code === 'authorization_pending' || status === 0 || status >= 500 ? interval_s : undefined;
}

async function pollForTokens(
  options: OAuthOptions,
  answer: DeviceAuthorization,
  signal?: AbortSignal,
): Promise<TokenSet> {
  const endsAt_ms = performance.now() + answer.expires_in * 1000;
  let interval_s = answer.interval ?? SLOWER_S;
  while (performance.now() < endsAt_ms) {
    await sleep(interval_s * 1000, signal);
    try {
      return await requestTokens(options, {
        grant_type: DEVICE_GRANT,
        device_code: answer.device_code,
      });
    } catch (error) {
      if (!(error instanceof EdgeError)) throw error;
      // The service deletes an expired code, and then refuses it as an unknown grant.
      if (error.code === 'invalid_grant') break;
      const next_s = intervalAfter(error, interval_s);
      if (next_s === undefined) throw error;
      interval_s = next_s;
    }
  }
  throw new EdgeError({
    status: 400,
    code: 'expired_token',
    detail: 'The code has expired: it was not confirmed in time.',
  });
}

/** Starts the device flow. */
export async function startDeviceLogin(
  options: OAuthOptions,
  request: LoginRequest,
): Promise<DeviceLogin> {
  const answer = (await requestJson(
    options,
    '/oauth2/device_authorization',
    toLoginParameters(request),
  )) as DeviceAuthorization;
  return {
    userCode: answer.user_code,
    verificationUri: answer.verification_uri,
    verificationUriComplete: answer.verification_uri_complete ?? answer.verification_uri,
    expiresIn_s: answer.expires_in,
    wait: (signal) => pollForTokens(options, answer, signal),
  };
}
