/** What device routes take and give. */
import Type, { type Static } from 'typebox';
import { Decimal, Timestamp, Words } from '../http/index.ts';

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

/** No control characters, and none that turn the direction of text or take no room. */
const PLAIN =
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff]*$';

const Text = (description: string) =>
  Type.Optional(Type.String({ maxLength: TEXT_MAX, pattern: PLAIN, description }));
const WordList = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: WORD_MAX, pattern: PLAIN }), {
      maxItems: LIST_MAX,
      uniqueItems: true,
      description: `${description} At most ${LIST_MAX} of ${WORD_MAX} characters.`,
    }),
  );

export const DeviceForm = Type.Object(
  {
    device_type: Words(DEVICE_TYPES, 'Kind of device.'),
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
    capabilities: WordList('What the device can do.'),
    requested_categories: WordList('Categories of traffic that the device asks its owner for.'),
  },
  { description: 'What a device says of itself; a member left out keeps its value.' },
);
export type DeviceForm = Static<typeof DeviceForm>;

export const DevicePatch = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        maxLength: WORD_MAX,
        pattern: PLAIN,
        description:
          'Name that its owner gives it; one that shows nothing brings back the default.',
      }),
    ),
    granted_categories: WordList(
      'Categories that the owner grants, of those the device requested.',
    ),
  },
  { minProperties: 1, description: 'What the owner of a device changes.' },
);
export type DevicePatch = Static<typeof DevicePatch>;

export const NodeParameters = Type.Object({
  node_id: Type.String({ description: 'Unique node ID.' }),
});

export const DeviceListQuery = Type.Object({
  status: Type.Optional(
    Words(
      DEVICE_STATUSES,
      'Only devices of this status; deleted ones are listed with `deleted` only.',
    ),
  ),
});

export const Device = Type.Object(
  {
    node_id: Type.String({
      description: 'Unique node ID; the thumbprint of its key where it has one.',
    }),
    name: Type.String({
      description: 'Name given by its owner, or one made of browser and operating system.',
    }),
    device_type: Words(DEVICE_TYPES, 'Kind of device.'),
    browser: Type.String({ description: 'Browser or client type.' }),
    extension_version: Type.String({ description: 'Extension version.' }),
    os: Type.String({ description: 'Operating system.' }),
    timezone: Type.String({ description: 'Timezone.' }),
    status: Words(DEVICE_STATUSES, 'Derived when read from what was last heard.'),
    status_reason: Type.String({ description: 'Why the status is what it is, in words.' }),
    status_reason_code: Words(
      STATUS_REASON_CODES,
      'The same for programs that have words of their own.',
    ),
    status_since: Timestamp(
      'When it was last heard, bound anew, or cut off: what the reason refers to.',
    ),
    granted_categories: Type.Array(Type.String(), { description: 'Granted categories.' }),
    requested_categories: Type.Array(Type.String(), {
      description: 'Categories that the device asks for.',
    }),
    capabilities: Type.Array(Type.String(), { description: 'Capabilities.' }),
    traffic_gb: Decimal('Traffic that relays reported, in GB of 10^9 bytes.'),
    created_at: Timestamp('Creation time.'),
    last_seen_at: Timestamp('When it was last heard; begins as the creation time.'),
  },
  { $id: 'Device', description: 'A device bound to the current user.' },
);

/** The device by its name in the document. */
export const DeviceReference = Type.Unsafe<Static<typeof Device>>({ $ref: 'Device#' });

export const DeviceListVO = Type.Object(
  { devices: Type.Array(DeviceReference) },
  { $id: 'DeviceListVO', description: 'The devices of the current user.' },
);

export const Heartbeat = Type.Object(
  {
    node_id: Type.String(),
    status: Words(['online'], 'The beat made it online.'),
    heartbeat_interval: Type.Integer({ description: 'Seconds until the next beat.' }),
    server_time: Timestamp('The clock of the service.'),
  },
  { description: 'The beat was heard.' },
);
