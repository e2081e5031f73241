/**
 * The operators' API for commands: in this process, or over HTTP where a running service holds the
 * embedded database. Either way the same routes check the same things.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config.ts';
import { DataDirectoryInUse } from '../db/index.ts';
import { createTokenVerifier } from '../deposits/index.ts';
import { createServer, installGuard } from '../http/index.ts';
import { installLedger } from '../ledger/index.ts';
import { systemClock } from '../lib/clock.ts';
import { registerOperatorChains, registerUnswept } from '../operator/index.ts';
import { CommandError, openPlatform } from './bootstrap.ts';

export interface OperatorApi {
  /** @returns the body as text @throws CommandError with what the service answered */
  request(
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    body?: unknown,
    accept?: string,
  ): Promise<string>;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;

function checkAnswer(status: number, text: string): string {
  if (status < 400) return text;
  const problem = JSON.parse(text) as { detail?: string; title?: string };
  throw new CommandError(problem.detail ?? problem.title ?? `the service answered ${status}`);
}

async function openHere(): Promise<OperatorApi> {
  const platform = { ...(await openPlatform()), clock: systemClock };
  installLedger(platform.database, platform);
  const app = createServer({ ...platform.config, LOG_LEVEL: 'silent' });
  const now = systemClock.now();
  const principal = {
    tokenUse: 'operator',
    clientId: 'command-line',
    scopes: new Set(['operator:chains']),
    jti: 'command-line',
    amr: [],
    issuedAt: now,
    expiresAt: new Date(now.getTime() + HOUR_MS),
  } as const;
  // A caller that can run this command can open the database itself: a token adds nothing.
  installGuard(app, { authenticate: () => principal });
  registerOperatorChains(app, {
    ...platform,
    verifyToken: createTokenVerifier(platform.masterKey),
  });
  registerUnswept(app, platform);
  return {
    async request(method, path, body, accept = 'application/json') {
      const headers = { authorization: 'Bearer command-line', accept };
      const answer = await app.inject({
        method,
        url: path,
        headers,
        ...(body !== undefined && { payload: body as object }),
      });
      return checkAnswer(answer.statusCode, answer.payload);
    },
    async close() {
      await app.close();
      await platform.database.close();
    },
  };
}

/** @throws CommandError when nothing listens there: the caller sees a sentence, not a stack */
async function ask(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch {
    throw new CommandError(
      `the service that holds the data directory does not answer at ${new URL(url).origin}: ` +
        'set PORT or BASE_URL of the service for this command',
    );
  }
}

async function openThere(): Promise<OperatorApi> {
  const { BASE_URL, DATA_DIR } = readConfig(process.env);
  const { client_id, client_secret } = JSON.parse(
    readFileSync(join(DATA_DIR, 'operator.json'), 'utf8'),
  ) as Record<string, string>;
  const form = new URLSearchParams({ grant_type: 'client_credentials', scope: 'operator:chains' });
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  const answer = await ask(`${BASE_URL}/oauth2/token`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Basic ${basic}` },
  });
  if (!answer.ok)
    throw new CommandError(
      `the service that holds the database gave no token: status ${answer.status}`,
    );
  const { access_token } = (await answer.json()) as { access_token: string };
  return {
    async request(method, path, body, accept = 'application/json') {
      const headers = {
        authorization: `Bearer ${access_token}`,
        accept,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const response = await ask(`${BASE_URL}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return checkAnswer(response.status, await response.text());
    },
    close: async () => {},
  };
}

/** Opens the API wherever it can be reached. */
export async function openOperatorApi(): Promise<OperatorApi> {
  try {
    return await openHere();
  } catch (error) {
    if (error instanceof DataDirectoryInUse) return openThere();
    throw error;
  }
}
