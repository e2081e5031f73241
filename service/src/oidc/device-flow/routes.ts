/** The endpoints behind the page where a person types a device's code. */
import Type from 'typebox';
import { callerOf, type HttpServer, Words } from '../../http/index.ts';
import { originOf } from '../../identity/index.ts';
import { describeScopes } from '../consent/scope-descriptions.ts';
import { type DeviceFlowDeps, decideDevice, showDevice } from './decide-device.ts';

const TAG = 'OpenID Connect';
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
      description:
        'Categories of traffic that the device asks for (`device_categories` of the request).',
    }),
    device_ip: Type.Optional(Type.String({ description: 'Where the device asked from.' })),
    device_user_agent: Type.Optional(Type.String()),
  },
  { description: 'The device that waits under a code.' },
);

const DeviceBody = Type.Object(
  {
    user_code: UserCode,
    decision: Words(['allow', 'deny'], 'What the person decided.'),
    scopes: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 64,
        description: 'Scopes that are allowed; default: all that are asked for.',
      }),
    ),
    categories: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 32,
        description: 'Categories of traffic that are granted; default: all that are asked for.',
      }),
    ),
  },
  { additionalProperties: false },
);

export function registerDeviceFlow(app: HttpServer, deps: DeviceFlowDeps): void {
  // The scope that only first-party clients get: another application must not let devices in.
  const config = { access: { scopes: ['identity:manage'], tokens: ['business'] as const } };
  app.get(
    '/oauth2/device',
    {
      config,
      schema: {
        tags: [TAG],
        summary: 'The device that waits under a code',
        querystring: Type.Object({ user_code: UserCode }),
        response: { 200: WaitingDevice },
      },
    },
    async (request) => {
      const { userCode, client, scopes, categories, ip, userAgent } = await showDevice(
        deps,
        request.query.user_code,
        callerOf(request),
      );
      return {
        user_code: userCode,
        client_id: client.clientId,
        client_name: client.name,
        first_party: client.isFirstParty,
        scopes: describeScopes(scopes),
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
        tags: [TAG],
        summary: 'Allow or deny a device',
        description:
          'The device, which polls the token endpoint, gets its tokens or `access_denied`.',
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
      await decideDevice(deps, answer, callerOf(request), originOf(request));
      return reply.code(204).send(null);
    },
  );
}
