/** Requests and responses of `/operator/devices` and what belongs to it. */
import Type, { type Static } from 'typebox';
import { DEVICE_TYPES, Device, REFUSAL_REASONS } from '../devices/index.ts';
import { Decimal, Id, MessageCode, MessageValues, StringEnum, Timestamp } from '../http/index.ts';

const SIZE_MAX = 100;
const NODE_ID_MAX = 128;
const ADDRESS_MAX = 64;
const TEXT_MAX = 128;
const HOURS_MAX = 168;
const ADDRESSES_MAX = 100;

const Size = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: SIZE_MAX,
    description: `Records per page, 1 to ${SIZE_MAX}. Default: 20.`,
  }),
);
const Next = Type.Optional(
  Type.String({ description: '`cursor` of the next page; absent: this is the last one.' }),
);
const CursorText = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: '`next` of the page before.' }),
);
/** As in `GET /me/devices`; a person's own schema has a name in the OpenAPI document. */
export const UserDevices = Type.Object(
  {
    devices: Type.Array(Type.Object(Device.properties, { description: 'A device of the person.' })),
  },
  { description: 'Devices of the person, newest first; without those that were deleted.' },
);

const NodeId = Type.String({ description: 'Unique node ID.' });

const STATUSES = ['online', 'offline', 'disconnected'] as const;

export const DeviceSearch = Type.Object(
  {
    node_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: NODE_ID_MAX,
        description: 'Only the device with this node ID.',
      }),
    ),
    user_id: Type.Optional(Id('Only devices of this person.')),
    address: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: ADDRESS_MAX,
        description: 'Only devices that were registered at this network address.',
      }),
    ),
    device_type: Type.Optional(StringEnum(DEVICE_TYPES, 'Only this kind.')),
    status: Type.Optional(StringEnum(STATUSES, 'Only devices of this status.')),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TEXT_MAX,
        description:
          'A whole node ID; or a substring of name, browser, version, operating system or time ' +
          'zone, in capital or small letters.',
      }),
    ),
    cursor: CursorText,
    size: Size,
  },
  { additionalProperties: false },
);
export type DeviceSearch = Static<typeof DeviceSearch>;

export const FoundDevicePage = Type.Object(
  {
    devices: Type.Array(
      Type.Object(
        {
          ...Device.properties,
          user_id: Id('The owner.'),
          nickname: Type.String({ description: 'Nickname of the owner.' }),
          registered_address: Type.String({
            description: 'Network address of the registration; of IPv6 the first 64 bits.',
          }),
          last_address: Type.Optional(
            Type.String({ description: 'Network address of the last heartbeat that was stored.' }),
          ),
        },
        { description: 'A device, with its owner and addresses.' },
      ),
      { description: 'Newest first.' },
    ),
    next: Next,
  },
  { description: 'A page of devices.' },
);

export const SharedAddressQuery = Type.Object(
  {
    least: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 1_000_000,
        description: 'Only addresses with this many devices or more. Default: 5.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const SharedAddresses = Type.Object(
  {
    addresses: Type.Array(
      Type.Object({
        address: Type.String({ description: 'Network address; of IPv6 the first 64 bits.' }),
        devices: Type.Integer({ minimum: 2, description: 'Devices that were registered there.' }),
        users: Type.Integer({ minimum: 1, description: 'Their owners.' }),
      }),
      { description: `The most devices first; at most ${ADDRESSES_MAX}.` },
    ),
  },
  { description: 'Addresses that devices share.' },
);

export const RefusedReportQuery = Type.Object(
  { cursor: CursorText, size: Size },
  { additionalProperties: false },
);

const ReasonFields = {
  client_id: Type.String({ description: 'Client of the relay that sent it.' }),
  code: Type.String({ description: 'Stable code; see `x-failure-codes`.' }),
  reason: Type.String({ description: 'Why a report does not count; of several, of one of them.' }),
  reason_code: MessageCode('reason', Object.keys(REFUSAL_REASONS.texts)),
  reason_values: MessageValues('reason'),
};

export const RefusedReportPage = Type.Object(
  {
    reports: Type.Array(
      Type.Object(
        {
          report_id: Type.String({
            description: 'ID of the report at its relay; empty if it has none.',
          }),
          ...ReasonFields,
          node_id: NodeId,
          user_id: Id('The owner of the device.'),
          nickname: Type.String({ description: 'Nickname of the owner.' }),
          from: Type.Optional(Timestamp('Start of the report; absent from a malformed report.')),
          to: Type.Optional(Timestamp('End of the report; absent from a malformed report.')),
          traffic_gb: Type.Optional(
            Decimal('Reported traffic in GB of 10^9 bytes; absent from a malformed report.'),
          ),
          received_at: Timestamp('When the report was received.'),
        },
        { description: 'A report that does not count.' },
      ),
      { description: 'Newest first.' },
    ),
    next: Next,
  },
  { description: 'A page of refused reports.' },
);

export const RefusedCountQuery = Type.Object(
  {
    hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: HOURS_MAX,
        description: `Reports of so many last hours, 1 to ${HOURS_MAX}. Default: 24.`,
      }),
    ),
  },
  { additionalProperties: false },
);

export const RefusedCounts = Type.Object(
  {
    from: Timestamp('Reports that were received from this instant on.'),
    counts: Type.Array(
      Type.Object({
        ...ReasonFields,
        reports: Type.Integer({ minimum: 1, description: 'Reports that do not count.' }),
        devices: Type.Integer({ minimum: 1, description: 'Devices that they name.' }),
      }),
      { description: 'The most reports first; at most 100.' },
    ),
  },
  { description: 'Refused reports by relay and reason.' },
);
