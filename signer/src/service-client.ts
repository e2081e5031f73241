/** The service, as the signer calls it. Nothing that it says is trusted. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { SignerConfig } from './config.ts';

/** What the owner of a payout has signed. */
export interface OwnerAssertion {
  /** COSE key, base64url. */
  readonly public_key: string;
  readonly passkey_credential: AuthenticationResponseJSON;
}

export interface TakenPayout {
  readonly payout_id: number;
  readonly document: string;
  readonly document_hash: string;
  readonly approvals: readonly {
    readonly user_id: number;
    readonly passkey_credential: AuthenticationResponseJSON;
  }[];
  /** Absent: the owner has no passkey. */
  readonly owner?: OwnerAssertion;
}

/** Where the ledger stands, signed with the key of its heads. */
export interface SignedHead {
  readonly body: string;
  readonly signature: string;
  readonly kid: string;
}

export interface Taken {
  readonly payouts: readonly TakenPayout[];
  readonly head?: SignedHead;
}

export interface Report {
  readonly payout_id: number;
  readonly outcome: 'sent' | 'refused' | 'postponed' | 'nonce_used';
  readonly tx_hash?: string;
  readonly sender?: string;
  readonly nonce?: number;
  /** Of `sent` on a UTXO chain. */
  readonly coin?: string;
  readonly reason?: string;
  /** Of `postponed`; absent: a limit. */
  readonly cause_code?: 'hot_wallet';
}

export interface ServiceClient {
  /** @param decisionPosition the last entry of the log of decisions that was seen */
  take(limit: number, decisionPosition: number | undefined): Promise<Taken>;
  report(reports: readonly Report[]): Promise<void>;
}

export interface ServiceClientOptions {
  readonly config: Pick<SignerConfig, 'service_url' | 'client_id' | 'network'>;
  readonly clientSecret: string;
  /** Name of the signer's state. */
  readonly signer: string;
  readonly send?: typeof fetch;
}

const TIMEOUT_MS = 20_000;
const EARLY_MS = 30_000;

/** The service answered with a problem. */
export class ServiceProblem extends Error {
  /** Of the problem, where it is one. */
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined) {
    super(message);
    this.name = 'ServiceProblem';
    this.code = code;
  }
}

/** Operators have taken back a payout that was reported. */
export const isTakenBack = (error: unknown): boolean =>
  error instanceof ServiceProblem && error.code === 'payout_of_other_signer';

/** Operators have stopped the currency of a payout that was reported: it may not be sent now. */
export const isStopped = (error: unknown): boolean =>
  error instanceof ServiceProblem && error.code === 'payout_stopped';

function readCode(text: string): string | undefined {
  try {
    const { code } = JSON.parse(text) as { code?: unknown };
    return typeof code === 'string' ? code : undefined;
  } catch {
    return undefined;
  }
}

async function readJson(response: Response): Promise<unknown> {
  if (response.ok) return response.status === 204 ? undefined : response.json();
  const text = await response.text();
  const message = `${response.url} answered ${response.status}: ${text}`;
  throw new ServiceProblem(message, readCode(text));
}

/** Signs in with client credentials, again before each token ends. */
export function createServiceClient({
  config,
  clientSecret,
  signer,
  send = fetch,
}: ServiceClientOptions): ServiceClient {
  const { service_url, client_id, network } = config;
  let token: { readonly text: string; readonly until: number } | undefined;

  async function readToken(): Promise<string> {
    if (token && token.until > Date.now()) return token.text;
    const response = await send(`${service_url}/oauth2/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(
          `${encodeURIComponent(client_id)}:${encodeURIComponent(clientSecret)}`,
        ).toString('base64')}`,
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'operator:payouts-sign',
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = (await readJson(response)) as { access_token: string; expires_in: number };
    const until = Date.now() + answer.expires_in * 1000 - EARLY_MS;
    token = { text: answer.access_token, until };
    return answer.access_token;
  }

  async function post(path: string, body: object): Promise<unknown> {
    const response = await send(service_url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await readToken()}`,
      },
      body: JSON.stringify({ signer, ...body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 401) token = undefined;
    return readJson(response);
  }

  return {
    async take(limit, decision_position) {
      const order = {
        network,
        limit,
        ...(decision_position !== undefined && { decision_position }),
      };
      return (await post('/operator/payouts/take', order)) as Taken;
    },
    async report(reports) {
      if (reports.length > 0) await post('/operator/payouts/reports', { reports });
    },
  };
}
