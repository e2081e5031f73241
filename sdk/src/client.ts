/** The typed client. Paths, parameters and fields are generated from the OpenAPI document. */
import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './generated/api.ts';
import { EdgeError, readProblem, unreachable } from './problem.ts';
import { createRequestSender, type RequestSender, type SenderOptions } from './request-sender.ts';

export interface EdgeClientOptions extends SenderOptions {
  /** Address of the service, without a trailing slash. Empty: the origin of the page. */
  readonly baseUrl: string;
}

export interface EdgeClient extends RequestSender {
  readonly baseUrl: string;
  /** Operations by path, for example `api.GET('/me/devices')`. Refusals are thrown as EdgeError. */
  readonly api: Client<paths>;
}

export function createEdgeClient(options: EdgeClientOptions): EdgeClient {
  const { baseUrl } = options;
  const sender = createRequestSender(options);
  const api = createFetchClient<paths>({
    baseUrl,
    fetch: sender.send,
    headers: { prefer: 'amounts=string' },
  });
  api.use({
    async onResponse({ response }) {
      if (!response.ok) throw await readProblem(response);
    },
  });
  return { baseUrl, api, ...sender };
}

/** True for what runtimes throw when a connection ends before the response is complete. */
function isInterruption(error: unknown): boolean {
  return (
    !(error instanceof EdgeError) &&
    error instanceof Error &&
    (error.name === 'TypeError' || error.name === 'TimeoutError')
  );
}

/** The response body: `await unwrap(client.api.GET('/me/devices'))`. @throws EdgeError */
export async function unwrap<T>(answer: Promise<{ data?: T }>): Promise<T> {
  try {
    return (await answer).data as T;
  } catch (error) {
    throw isInterruption(error) ? unreachable(error) : error;
  }
}

type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type Responses<T> = T extends { responses: infer R } ? R : never;
type Success<R> = JsonOf<R[keyof R & (200 | 201 | 202)]>;

/** Body of a successful response, for example `ResponseBody<'/me', 'get'>`. */
export type ResponseBody<Path extends keyof paths, Method extends keyof paths[Path]> = Success<
  Responses<paths[Path][Method]>
>;

/** Body of a request, for example `RequestBody<'/me', 'patch'>`. */
export type RequestBody<
  Path extends keyof paths,
  Method extends keyof paths[Path],
> = paths[Path][Method] extends { requestBody?: infer Body } ? JsonOf<NonNullable<Body>> : never;
