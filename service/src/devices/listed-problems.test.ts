/** Problems that the API lists for calls of a device, and that no test of its own causes there. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeviceLab, openDeviceLab } from '../../test/support/device-fixture.ts';
import { insertUser } from '../../test/support/test-users.ts';

let lab: DeviceLab;
beforeAll(async () => {
  lab = await openDeviceLab('server');
});
afterAll(async () => {
  await lab.app.close();
  await lab.database.close();
});

let grants = 0;
async function register(node: string) {
  const userId = await insertUser(lab.database);
  const grantId = `listed-${++grants}`;
  const token = await lab.deviceToken(userId, { grantId });
  expect((await lab.put(node, token)).statusCode).toBe(200);
  return { userId, token, grantId };
}
const calls = (node: string) => [`${node}/heartbeat`, 'connect-ticket'];
const codeOf = async (path: string, token: Record<string, string>): Promise<string> =>
  (await lab.post(path, token)).json().code;

test('a device that was cut off, or deleted, while its token is still bound', async () => {
  for (const [cut, code] of [
    ['disconnected', 'device_disconnected'],
    ['deleted', 'device_deleted'],
  ] as const) {
    const node = `listed-${cut}`;
    const { userId, token } = await register(node);
    // The service unbinds the token in the same transaction.
    await lab.database.query(
      `update device set cut = $2, cut_reason = 'owner', cut_at = now() where node_id = $1`,
      [node, cut],
    );
    for (const call of calls(node)) expect([call, await codeOf(call, token)]).toEqual([call, code]);
    if (cut === 'disconnected') continue;
    const patch = { method: 'PATCH', url: `/me/devices/${node}`, payload: { name: 'x' } } as const;
    const answer = await lab.app.inject({ ...patch, headers: lab.person(userId) });
    expect(answer.json().code).toBe(code);
  }
});

test('a token that is bound to another device of the user', async () => {
  const { userId, grantId } = await register('listed-first');
  await lab.put('listed-second', await lab.deviceToken(userId));
  const other = await lab.deviceToken(userId, { grantId });
  expect(await codeOf('listed-second/heartbeat', other)).toBe('token_bound_elsewhere');
});

test('more tickets for a live connection than a device needs', async () => {
  const { token } = await register('listed-tickets');
  await expect.poll(() => codeOf('connect-ticket', token)).toBe('rate_limited');
});
