import { expect, test } from 'vitest';
import { createEdgeClient } from './client.ts';
import { registerDevice } from './register-device.ts';
import { fixedToken } from './token-source.ts';

const FORM = { device_type: 'TERMINAL' as const, os: 'Linux', timezone: 'Mars/Olympus' };

/** A service that refuses one field whenever it is sent. */
function setUp(refused: string) {
  const bodies: Record<string, unknown>[] = [];
  const send = async (request: unknown): Promise<Response> => {
    const body = (await (request as Request).json()) as Record<string, unknown>;
    bodies.push(body);
    if (!(refused in body)) return Response.json({ node_id: 'n' });
    return Response.json(
      {
        code: 'invalid_parameter',
        status: 400,
        errors: [{ field: refused, code: 'format', message: 'is none' }],
      },
      { status: 400 },
    );
  };
  return {
    bodies,
    client: createEdgeClient({
      baseUrl: 'http://edge.test',
      tokens: fixedToken('token'),
      fetch: send as typeof fetch,
    }),
  };
}

test('a device registers although the service does not know its time zone', async () => {
  const { bodies, client } = setUp('timezone');
  expect(await registerDevice(client, 'n', FORM)).toEqual({ node_id: 'n' });
  expect(bodies).toEqual([FORM, { device_type: 'TERMINAL', os: 'Linux' }]);
});

test('any other refusal is reported', async () => {
  const { bodies, client } = setUp('os');
  await expect(registerDevice(client, 'n', FORM)).rejects.toMatchObject({
    code: 'invalid_parameter',
  });
  expect(bodies).toHaveLength(1);
});
