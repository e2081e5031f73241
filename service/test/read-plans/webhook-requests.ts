/** Reads of webhooks and their messages. */
import type { Request } from './requests.ts';

/** @param listed the limit of a read that counts open deliveries up to the limit of lists */
export const webhookRequests = (listed: Pick<Request, 'blocks' | 'rows'>): Request[] => [
  { route: 'GET /operator/webhooks', url: '/operator/webhooks', ...listed },
  { route: 'GET /operator/webhooks/{id}', url: '/operator/webhooks/1', ...listed },
  ...['', '&state=dead'].map((filter) => ({
    route: 'GET /operator/webhooks/{id}/deliveries',
    url: `/operator/webhooks/1/deliveries?current=1&size=20${filter}`,
    ...listed,
  })),
  {
    route: 'GET /operator/webhooks/{id}/deliveries/{delivery_id}',
    url: '/operator/webhooks/1/deliveries/3',
    blocks: 60,
    rows: 60,
  },
];
