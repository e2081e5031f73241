/** The endpoints behind the page where the user types a device's code. */

import Type from 'typebox';
import { getCaller, type HttpServer } from '../../http/index.ts';
import { readOrigin } from '../../identity/index.ts';
import { decisionFields } from '../consent/schemas.ts';
import type { OidcContext } from '../context.ts';
import { operations } from '../operations.ts';
import { describeScopes } from '../resource-servers/requested-scopes.ts';
import { decideDevice, findDevice } from './decide-device.ts';

const UserCode = Type.String({
  minLength: 8,
  maxLength: 20,
  pattern: '^[A-Za-z0-9 -]+$',
  description: 'As the device shows it; case and hyphens do not matter.',
});

const WaitingDevice = Type.Object(
  {
    user_code: Type.String(),
    client_id: Type.String(),
    client_name: Type.String(),
    first_party: Type.Boolean(),
    scopes: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
    categories: Type.Array(Type.String(), {
      description: 'Traffic categories that the device requests (`device_categories`).',
    }),
    device_ip: Type.Optional(
      Type.String({ description: 'Address that the device sent the request from.' }),
    ),
    device_user_agent: Type.Optional(Type.String()),
  },
  { description: 'The device that waits under a code.' },
);

const DeviceBody = Type.Object(
  { user_code: UserCode, ...decisionFields },
  { additionalProperties: false },
);

export function registerDeviceFlow(app: HttpServer, context: OidcContext): void {
  // Only first-party clients get this scope: another application must not allow devices.
  const config = { access: { scopes: ['identity:manage'], tokens: ['business'] as const } };
  app.get(
    '/oauth2/device',
    {
      config,
      schema: {
        ...operations.getDeviceRequest,
        querystring: Type.Object({ user_code: UserCode }),
        response: { 200: WaitingDevice },
      },
    },
    async (request) => {
      const { userCode, client, scopes, categories, ip, userAgent } = await findDevice(
        context,
        request.query.user_code,
        getCaller(request),
      );
      return {
        user_code: userCode,
        client_id: client.clientId,
        client_name: client.name,
        first_party: client.isFirstParty,
        scopes: await describeScopes(context.clients, scopes),
        categories: [...categories],
        ...(ip !== undefined && { device_ip: ip }),
        ...(userAgent !== undefined && { device_user_agent: userAgent }),
      };
    },
  );
  app.post(
    '/oauth2/device',
    {
      config,
      schema: {
        ...operations.decideDeviceRequest,
        body: DeviceBody,
        response: { 204: Type.Null({ description: 'Decided.' }) },
      },
    },
    async (request, reply) => {
      const { user_code, decision, scopes, categories } = request.body;
      const answer = {
        userCode: user_code,
        isAllowed: decision === 'allow',
        ...(scopes && { scopes }),
        ...(categories && { categories }),
      };
      await decideDevice(context, answer, getCaller(request), readOrigin(request));
      return reply.code(204).send(null);
    },
  );
}
