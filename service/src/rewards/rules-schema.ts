/** Rules as operators write them. */
import Type, { type Static } from 'typebox';
import { DecimalInput, StringEnum, Timestamp } from '../http/index.ts';

/** Referral levels that rules may pay at most: 1 is a direct referral. */
export const REFERRAL_LEVELS = 3;

const Name = Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\u0000-\\u001f]+$' });
const strict = { additionalProperties: false };

function Rate(description: string) {
  return Type.Unsafe<string>({ ...DecimalInput(description), format: 'not-negative' });
}

export const RulesBody = Type.Object(
  {
    uptime: Type.Optional(Type.Object({ amount: Rate('Reward for each hour online.') }, strict)),
    traffic: Type.Optional(
      Type.Array(
        Type.Object(
          {
            category: Type.String({
              maxLength: 64,
              description: 'Category of the traffic; `*`: any other.',
            }),
            amount: Rate('Reward per GB of 10^9 bytes.'),
          },
          strict,
        ),
        {
          maxItems: 32,
          description:
            'Traffic counts when a relay reported it and the device was online in that hour.',
        },
      ),
    ),
    referral: Type.Optional(
      Type.Array(
        Type.Object(
          {
            percent: Rate(
              'Percent of what the referee earns; paid in addition, never taken from the referee.',
            ),
            uptime_hours: Type.Integer({
              minimum: 0,
              maximum: 100_000,
              description:
                'Requirement: hours that the referee must have been online within the limits, ' +
                'whether the rules pay for them or not.',
            }),
            distinct_addresses: Type.Integer({
              minimum: 0,
              maximum: 100,
              description: 'Requirement: network addresses of the referee that no other user has.',
            }),
          },
          strict,
        ),
        { maxItems: REFERRAL_LEVELS, description: 'Level 1 (direct) first.' },
      ),
    ),
    campaigns: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Name,
            percent: Rate('Percent of the uptime and traffic rewards of a device, in addition.'),
            from: Timestamp('First hour.'),
            before: Timestamp('The hour after the last one.'),
            device_type: Type.Optional(
              StringEnum(['TERMINAL', 'EXTENSION'], 'Only devices of this type.'),
            ),
          },
          strict,
        ),
        { maxItems: 20 },
      ),
    ),
    penalty: Type.Optional(
      Type.Object(
        {
          amount: Rate(
            'Taken for each report that claims more bytes than any device can move. Faults of a ' +
              'relay (late, in the future, before the device was registered) cost nothing.',
          ),
        },
        strict,
      ),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          devices_per_user: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 100_000,
              description: 'Devices of one user that are paid in an hour: those online longest.',
            }),
          ),
          devices_per_address: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 100_000,
              description:
                'Devices on one network address that are paid in an hour: those online longest. ' +
                'The address is the one of the last heartbeat when the hour is settled (a /64 of ' +
                'IPv6 is one). A user who changes addresses can evade the limit.',
            }),
          ),
          gb_per_device_hour: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 1_000_000,
              description: 'GB of each category that are paid per device and hour.',
            }),
          ),
        },
        strict,
      ),
    ),
  },
  { additionalProperties: false, description: 'What is paid for what.' },
);
export type RulesBody = Static<typeof RulesBody>;
