/** Devices that come from another system. They sign in again by themselves. */
import { plainArray, queryNamed, type Transaction, textArray } from '../db/index.ts';
import { bumpDeviceListVersion } from './device-list-version.ts';
import type { DeviceForm } from './schemas.ts';

export interface ImportedDevice {
  readonly nodeId: string;
  readonly userId: number;
  readonly deviceType: DeviceForm['device_type'];
  readonly keyThumbprint: string | null;
  readonly name: string;
  readonly browser: string;
  readonly extensionVersion: string;
  readonly os: string;
  readonly timezone: string;
  readonly capabilities: readonly string[];
  readonly grantedCategories: readonly string[];
  /** RFC 3339. */
  readonly createdAt: string;
}

/**
 * A device that registered here is newer than its row, and its owner's name for it stays. Imported
 * devices have no address before they register.
 */
const WRITE_DEVICES = `insert into device as d (node_id, user_id, device_type, key_thumbprint, name,
    browser, extension_version, os, timezone, capabilities, requested_categories,
    granted_categories, registered_address, created_at, bound_at)
  select n.node_id, n.user_id, n.device_type, n.key_thumbprint, n.name, n.browser,
    n.extension_version, n.os, n.timezone, array(select json_array_elements_text(n.capabilities)),
    c.list, c.list, '', n.at, n.at
  from unnest(:node_ids::text[], :user_ids::bigint[], :device_types::text[],
      :key_thumbprints::text[], :names::text[], :browsers::text[], :extension_versions::text[],
      :os::text[], :timezones::text[], :capabilities::json[], :categories::json[],
      :created_at::timestamptz[])
    n (node_id, user_id, device_type, key_thumbprint, name, browser, extension_version, os,
      timezone, capabilities, categories, at)
  cross join lateral (select array(select json_array_elements_text(n.categories)) as list) c
  on conflict (user_id, node_id) do update set device_type = excluded.device_type,
    browser = excluded.browser, extension_version = excluded.extension_version,
    os = excluded.os, timezone = excluded.timezone, capabilities = excluded.capabilities,
    name = case when :overwrites or d.renamed_at is null then excluded.name else d.name end,
    renamed_at = case when :overwrites then null else d.renamed_at end
  where d.cut is null and d.registered_address = '' and d.bound_at = d.created_at`;

/**
 * Adds devices, or brings their descriptions up to date.
 * @param overwrites also the name that the owner gave a device here
 */
export async function importDevices(
  tx: Transaction,
  devices: readonly ImportedDevice[],
  overwrites: boolean,
): Promise<void> {
  const texts = (read: (device: ImportedDevice) => string | null): string =>
    textArray(devices.map(read));
  await queryNamed(tx, WRITE_DEVICES, {
    node_ids: texts(({ nodeId }) => nodeId),
    user_ids: plainArray(devices.map(({ userId }) => userId)),
    device_types: texts(({ deviceType }) => deviceType),
    key_thumbprints: texts(({ keyThumbprint }) => keyThumbprint),
    names: texts(({ name }) => name),
    browsers: texts(({ browser }) => browser),
    extension_versions: texts(({ extensionVersion }) => extensionVersion),
    os: texts(({ os }) => os),
    timezones: texts(({ timezone }) => timezone),
    capabilities: texts(({ capabilities }) => JSON.stringify(capabilities)),
    categories: texts(({ grantedCategories }) => JSON.stringify(grantedCategories)),
    created_at: texts(({ createdAt }) => createdAt),
    overwrites,
  });
  await bumpDeviceListVersion(
    tx,
    devices.map(({ userId }) => userId),
  );
}
