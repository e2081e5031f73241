/** `POST /sign-in/upstream/{provider}`: for providers that send the browser back by a form. */
import Type from 'typebox';
import { type HttpServer, UPSTREAM_CALLBACK_PATH } from '../../http/index.ts';
import { signInOperations } from './operations.ts';
import { ProviderId } from './schemas.ts';

const FORM = 'application/x-www-form-urlencoded';
const FORM_MAX_BYTES = 16_384;
const PARAMETERS = ['state', 'code', 'iss', 'error'] as const;

const Parameter = Type.Optional(Type.String({ description: 'As the provider sends it.' }));
const Form = Type.Object({ state: Parameter, code: Parameter, iss: Parameter, error: Parameter });

/**
 * The page at the same path takes the parameters in its address: the cookie that binds them to the
 * browser is `SameSite=Strict`, and a form of another site does not carry it.
 */
export function registerFormPost(app: HttpServer, baseUrl: string): void {
  app.register(async (scope: HttpServer) => {
    scope.addContentTypeParser(
      FORM,
      { parseAs: 'string', bodyLimit: FORM_MAX_BYTES },
      async (_request: unknown, body: string | Buffer) => body.toString(),
    );
    scope.post(
      `${UPSTREAM_CALLBACK_PATH}:provider`,
      {
        config: {
          access: 'open',
          handlesFailures: true,
          documents: { body: { content: { [FORM]: { schema: Form } } } },
        },
        schema: {
          ...signInOperations.receiveUpstreamForm,
          params: Type.Object({ provider: ProviderId }),
          response: { 303: Type.Null({ description: 'To the page at this path.' }) },
        },
      },
      async (request, reply) => {
        const form = new URLSearchParams(String(request.body));
        const query = new URLSearchParams();
        for (const name of PARAMETERS) {
          const value = form.get(name);
          if (value !== null) query.set(name, value);
        }
        const page = new URL(UPSTREAM_CALLBACK_PATH + request.params.provider, baseUrl);
        page.search = query.toString();
        return reply.code(303).header('location', page.href).send(null);
      },
    );
  });
}
