import { deviceName } from '../i18n/labels.ts';
import type { Translate } from '../i18n/translate.ts';
import { shortAddress } from '../lib/short-address.ts';

interface NodeTextOptions {
  /** Those of the reader. */
  readonly devices: readonly Parameters<typeof deviceName>[1][];
  /** A long id by its beginning and its end. */
  readonly isShort?: boolean;
}

/** The id of a key-bound device has 43 characters; what is shorter than this has room in a row. */
const SHORT_MAX = 16;

/** A device by its name; one that is deleted has none any more, and is called by its id. */
export function nodeText(
  t: Pick<Translate, 'find'>,
  nodeId: string,
  { devices, isShort = false }: NodeTextOptions,
): string {
  const device = devices.find(({ node_id }) => node_id === nodeId);
  if (device) return deviceName(t, device);
  return isShort && nodeId.length > SHORT_MAX ? shortAddress(nodeId) : nodeId;
}
