/** `edge-terminal status`: this terminal, and its state at the service. */
import { parseArgs } from 'node:util';
import { EdgeError, FINAL_CODES, unwrap } from '@edge-account/sdk';
import { COMMON_OPTIONS, openTerminal } from '../open-terminal.ts';
import { commandLine, suggestRestart } from '../program.ts';

function print(rows: readonly (readonly [string, string])[]): void {
  for (const [name, value] of rows) console.log(`${name.padEnd(16)}${value}`);
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: COMMON_OPTIONS });
  const { client, nodeId, oauth, path } = await openTerminal(values);
  print([
    ['service', oauth.baseUrl],
    ['device', nodeId],
    ['state file', path],
  ]);
  try {
    const device = await unwrap(
      client.api.GET('/me/devices/{node_id}', { params: { path: { node_id: nodeId } } }),
    );
    print([
      ['name', device.name],
      ['status', `${device.status} (${device.status_reason})`],
      ['traffic', `${device.traffic_gb} GB`],
      ['last seen', device.last_seen_at],
      ['categories', device.granted_categories.join(', ') || 'none granted'],
    ]);
  } catch (error) {
    if (!(error instanceof EdgeError)) throw error;
    const isUnknown = error.code === 'not_found';
    print([
      [
        'status',
        isUnknown ? `not registered yet: run \`${commandLine('run', values)}\`` : error.words,
      ],
    ]);
    if (!isUnknown && FINAL_CODES.has(error.code)) console.log(suggestRestart(values));
    process.exitCode = 1;
  }
}
