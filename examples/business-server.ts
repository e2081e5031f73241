/**
 * A server of the operator: gets a token with its client's secret, and pays a reward exactly once.
 */
import * as edge from '@edge-account/sdk';

const baseUrl = process.env.SERVICE ?? 'http://localhost:8080';
const clock = edge.createServerClock();
const { accessToken } = await edge.requestClientTokens({
  baseUrl,
  clock,
  clientId: process.env.CLIENT_ID ?? '',
  clientSecret: process.env.CLIENT_SECRET ?? '',
});
const { api } = edge.createEdgeClient({ baseUrl, clock, tokens: edge.fixedToken(accessToken) });

/** Has one effect for each key, however often it is sent: repeat it after any failure. */
const payReward = (key: string, amount: string) =>
  edge.unwrap(
    api.POST('/operator/rewards', {
      params: { header: { 'Idempotency-Key': key } },
      body: {
        user_id: Number(process.env.USER_ID ?? 1),
        currency: 'EDGE',
        amount,
        reward_type: 'TASK',
        reference: 'task-17',
      },
    }),
  );

const reward = await payReward('task-17', '1.25');
console.log(`paid ${reward.amount} ${reward.currency} by transfer ${reward.id}`);
const again = await payReward('task-17', '1.25');
console.log(`sent again: transfer ${again.id}`);
await payReward('task-17', '2').catch((error: unknown) => {
  if (!(error instanceof edge.EdgeError)) throw error;
  console.log(`another amount under the same key: ${error.status} ${error.code}`);
});
