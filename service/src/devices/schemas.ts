/** Schemas of the device routes. */
import Type, { type Static } from 'typebox';
import { Decimal, StringEnum, Timestamp } from '../http/index.ts';
import { PLAIN_TEXT } from '../lib/text-limits.ts';

export const DEVICE_TYPES = ['TERMINAL', 'EXTENSION'] as const;
export const DEVICE_STATUSES = ['online', 'offline', 'disconnected', 'deleted'] as const;
export const STATUS_REASON_CODES = [
  'heard',
  'silent',
  'not_connected_yet',
  'registered_again',
  'cut_by_owner',
  'cut_by_key_holder',
] as const;

const LIST_MAX = 32;
const WORD_MAX = 64;
const TEXT_MAX = 128;

const Text = (description: string) =>
  Type.Optional(Type.String({ maxLength: TEXT_MAX, pattern: PLAIN_TEXT, description }));
const WordList = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: WORD_MAX, pattern: PLAIN_TEXT }), {
      maxItems: LIST_MAX,
      uniqueItems: true,
      description: `${description} At most ${LIST_MAX} of ${WORD_MAX} characters.`,
    }),
  );

export const DeviceForm = Type.Object(
  {
    device_type: StringEnum(DEVICE_TYPES, 'Kind of device.'),
    browser: Text('Browser or client type.'),
    extension_version: Text('Version of the extension or client.'),
    os: Text('Operating system.'),
    timezone: Type.Optional(
      Type.String({
        maxLength: TEXT_MAX,
        format: 'time-zone',
        description: 'Time zone, by its name in the IANA database; empty when it is not known.',
      }),
    ),
    capabilities: WordList('Capabilities of the device.'),
    requested_categories: WordList('Traffic categories that the device requests from its owner.'),
  },
  { description: 'Properties of a device; a property that is left out keeps its value.' },
);
export type DeviceForm = Static<typeof DeviceForm>;

export const DevicePatch = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        maxLength: WORD_MAX,
        pattern: PLAIN_TEXT,
        description: 'Name of the device; without a visible character the default name applies.',
      }),
    ),
    granted_categories: WordList(
      'Granted categories; a subset of those that the device requested.',
    ),
  },
  { minProperties: 1, description: 'Changes of a device by its owner.' },
);
export type DevicePatch = Static<typeof DevicePatch>;

export const NodeParameters = Type.Object({
  node_id: Type.String({ description: 'Unique node ID.' }),
});

export const DeviceListQuery = Type.Object({
  status: Type.Optional(
    StringEnum(
      DEVICE_STATUSES,
      'Only devices of this status; deleted ones are listed with `deleted` only.',
    ),
  ),
});

export const Device = Type.Object(
  {
    node_id: Type.String({
      description: 'Unique node ID; for a key-bound device the thumbprint of its key.',
    }),
    name: Type.String({
      description: 'Name given by its owner; by default browser and operating system.',
    }),
    device_type: StringEnum(DEVICE_TYPES, 'Kind of device.'),
    browser: Type.String({ description: 'Browser or client type.' }),
    extension_version: Type.String({ description: 'Extension version.' }),
    os: Type.String({ description: 'Operating system.' }),
    timezone: Type.String({ description: 'Timezone.' }),
    status: StringEnum(DEVICE_STATUSES, 'Online and offline follow from the last heartbeat.'),
    status_reason: Type.String({ description: 'Cause of the status, as text.' }),
    status_reason_code: StringEnum(STATUS_REASON_CODES, 'Cause of the status, as a code.'),
    status_since: Timestamp(
      'Time of the last heartbeat, registration or revocation, as the cause requires.',
    ),
    granted_categories: Type.Array(Type.String(), { description: 'Granted categories.' }),
    requested_categories: Type.Array(Type.String(), {
      description: 'Categories that the device requests.',
    }),
    capabilities: Type.Array(Type.String(), { description: 'Capabilities.' }),
    traffic_gb: Decimal('Traffic that relays reported, in GB of 10^9 bytes.'),
    created_at: Timestamp('Creation time.'),
    last_seen_at: Timestamp(
      'Last heartbeat; the creation time before the first one. Of a device that is connected to ' +
        'another instance of the service: when that instance last confirmed the connection.',
    ),
  },
  { $id: 'Device', description: 'A device bound to the current user.' },
);

/** The device by its name in the OpenAPI document. */
export const DeviceReference = Type.Unsafe<Static<typeof Device>>({ $ref: 'Device#' });

export const DeviceListVO = Type.Object(
  { devices: Type.Array(DeviceReference) },
  { $id: 'DeviceListVO', description: 'The devices of the current user.' },
);

export const Heartbeat = Type.Object(
  {
    node_id: Type.String(),
    status: StringEnum(['online'], 'The heartbeat made the device online.'),
    heartbeat_interval: Type.Integer({ description: 'Seconds until the next heartbeat.' }),
    server_time: Timestamp('Time of the service.'),
  },
  { description: 'The heartbeat was recorded.' },
);
