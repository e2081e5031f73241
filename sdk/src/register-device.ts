/** A device tells the service what it is. */
import { type EdgeClient, unwrap } from './client.ts';
import type { components, paths } from './generated/api.ts';
import { EdgeError } from './problem.ts';

export type DeviceForm = NonNullable<
  paths['/me/devices/{node_id}']['put']['requestBody']
>['content']['application/json'];

function isAboutTimeZone(error: unknown): boolean {
  return (
    error instanceof EdgeError &&
    error.problem.errors?.some(({ field }) => field === 'timezone') === true
  );
}

/**
 * Registers or updates a device. A time zone that the service does not know is left out: it may be
 * newer than the service, and is no reason to stay away.
 */
export async function registerDevice(
  client: EdgeClient,
  nodeId: string,
  form: DeviceForm,
): Promise<components['schemas']['Device']> {
  const put = (body: DeviceForm) =>
    unwrap(
      client.api.PUT('/me/devices/{node_id}', { params: { path: { node_id: nodeId } }, body }),
    );
  try {
    return await put(form);
  } catch (error) {
    if (form.timezone === undefined || !isAboutTimeZone(error)) throw error;
    const { timezone: _, ...rest } = form;
    return put(rest);
  }
}
