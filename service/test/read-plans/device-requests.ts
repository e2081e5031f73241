/** Reads of devices by operators. */

/** As in `requests.ts`. */
interface DeviceRequest {
  readonly route: string;
  readonly url: string;
  readonly blocks: number;
  readonly rows: number;
}

/** Filters that an index serves, and those that look through a bounded number of devices. */
export function operatorDeviceRequests(userId: number): DeviceRequest[] {
  const devices = (query: string, blocks: number, rows: number): DeviceRequest => ({
    route: 'GET /operator/devices',
    url: `/operator/devices?${query}`,
    blocks,
    rows,
  });
  return [
    devices('size=20', 400, 300),
    devices('size=20&cursor=2000', 400, 300),
    devices('node_id=unknown', 60, 60),
    devices('address=203.0.113.1', 60, 60),
    devices(`user_id=${userId}`, 1_200, 1_000),
    devices('text=nothing', 9_000, 9_000),
    devices('device_type=EXTENSION&status=online', 9_000, 9_000),
    ...['size=20', `size=20&cursor=${Date.UTC(2026, 0, 1)}-1-1-1`].map((query) => ({
      route: 'GET /operator/refused-reports',
      url: `/operator/refused-reports?${query}`,
      blocks: 600,
      rows: 600,
    })),
    // Every refused report of these hours.
    {
      route: 'GET /operator/refused-reports/counts',
      url: '/operator/refused-reports/counts?hours=24',
      blocks: 600,
      rows: 20_000,
    },
  ];
}
