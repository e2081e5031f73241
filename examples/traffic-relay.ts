/** A relay of the operator: reports the traffic that it measured for a device, each hour once. */
import * as edge from '@edge-account/sdk';

const HOUR_MS = 3_600_000;
const baseUrl = process.env.SERVICE ?? 'http://localhost:8080';
const clock = edge.createServerClock();
const { accessToken } = await edge.requestClientTokens({
  baseUrl,
  clock,
  clientId: process.env.CLIENT_ID ?? '',
  clientSecret: process.env.CLIENT_SECRET ?? '',
});
const { api } = edge.createEdgeClient({ baseUrl, clock, tokens: edge.fixedToken(accessToken) });

/** What the relay counted in an hour; its report_id is the same whenever it is sent. */
function measure(nodeId: string, hour_ms: number, bytes: number) {
  return {
    report_id: `${nodeId}/${new Date(hour_ms).toISOString()}`,
    node_id: nodeId,
    bytes_up: bytes,
    bytes_down: 4 * bytes,
    category: 'web',
    from: new Date(hour_ms).toISOString(),
    to: new Date(clock.now_ms()).toISOString(),
  };
}

const hour_ms = clock.now_ms() - (clock.now_ms() % HOUR_MS);
const reports = [
  measure(process.env.NODE_ID ?? '', hour_ms, 1_000_000),
  measure('no-such-node', hour_ms, 1),
];
// After any failure send the same batch again: a report that was accepted counts once.
for (let attempt = 1; attempt <= 2; attempt++) {
  const { results } = await edge.unwrap(
    api.POST('/operator/traffic-reports', { body: { reports } }),
  );
  for (const { report_id, status, code = '' } of results)
    console.log(`${report_id.split('/')[0]}: ${status} ${code}`.trim());
}
