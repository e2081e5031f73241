import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type BrandSettings = ResponseBody<'/operator/brand', 'get'>;
export type BrandOrder = RequestBody<'/operator/brand', 'put'>;

/** The settings, and the entity tag by which the service knows them again. */
export interface BrandVersion {
  readonly settings: BrandSettings;
  readonly etag: string | undefined;
}

interface Answer {
  readonly data?: BrandSettings;
  readonly response: Response;
}

async function withTag(answer: Promise<Answer>): Promise<{ data?: BrandVersion }> {
  const { data, response } = await answer;
  // The service's own tags are strong; a proxy that compresses answers makes them weak, and a weak
  // one is never expected.
  const etag = response.headers.get('etag')?.replace(/^W\//, '');
  return data ? { data: { settings: data, etag } } : {};
}

export const readBrand = (signal?: AbortSignal): Promise<BrandVersion> =>
  readAsOperator(withTag(api.GET('/operator/brand', { ...(signal && { signal }) })));

export const brandQuery = queryOptions({
  queryKey: ['operator', 'brand'],
  queryFn: ({ signal }) => readBrand(signal),
});

/**
 * What is left out, but a logo, gets its default.
 * @param etag of the version that the order was made of
 * @throws EdgeError `precondition_failed` when there is another one meanwhile
 */
export const putBrand = (body: BrandOrder, etag: string | undefined): Promise<BrandVersion> =>
  changeAsOperator(() =>
    withTag(
      api.PUT('/operator/brand', {
        body,
        ...(etag !== undefined && { params: { header: { 'If-Match': etag } } }),
      }),
    ),
  );
