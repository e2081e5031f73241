/** Step 5: the operator's client gets a token and posts a reward. */
import { randomUUID } from 'node:crypto';
import { call } from './http-client.ts';
import type { WalkOptions } from './walk-main-path.ts';

export const REWARD_AMOUNT = '1234567.000000000000000001';

/** An access token of the operator's client. */
export async function getOperatorToken({ baseUrl, operator, print }: WalkOptions): Promise<string> {
  const basic = Buffer.from(`${operator.client_id}:${operator.client_secret}`).toString('base64');
  const response = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token, scope } = (await response.json()) as {
    access_token: string;
    scope: string;
  };
  print(`   the operator's client got a token for ${scope.split(' ').length} scopes`);
  return token;
}

/** Posts one reward, twice with the same key. */
export async function postReward(
  { baseUrl, print }: WalkOptions,
  token: string,
  userId: number,
): Promise<void> {
  const body = {
    user_id: userId,
    currency: 'EDGE',
    amount: REWARD_AMOUNT,
    reward_type: 'UPTIME',
    remark: 'a good hour',
  };
  const headers = { 'idempotency-key': randomUUID() };
  const first = await call(`${baseUrl}/operator/rewards`, { token, body, headers });
  const again = await call(`${baseUrl}/operator/rewards`, { token, body, headers });
  if (first.status !== 200 || again.text !== first.text)
    throw new Error(
      `the reward returned ${first.status} ${first.text}, then ${again.status} ${again.text}`,
    );
  const other = await call(`${baseUrl}/operator/rewards`, {
    token,
    body: { ...body, amount: '1' },
    headers,
  });
  print(
    `   posted ${REWARD_AMOUNT} EDGE; repeated request: same response; ` +
      `another body with its key: ${other.status}`,
  );
}
