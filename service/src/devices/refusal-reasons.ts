/** Why a traffic report does not count, in sentences that have codes. */
import { type CodedMessage, createMessages } from '../lib/coded-messages.ts';

export const REFUSAL_REASONS = createMessages({
  no_such_node: 'no device has this node ID',
  id_reused: 'another report had this ID',
  ends_before_it_begins: 'the report ends before it begins',
  covers_no_time: 'the report ends when it begins, and so covers no time',
  too_long: 'the report covers more than {hours} hours',
  ends_in_future: 'the report ends in the future',
  too_late: 'the report came more than {seconds} s after it ended',
  too_many_bytes: 'the report holds more bytes than {gigabits} Gbit/s could move',
  before_registration: 'the device was registered after the report ended',
  begins_before_registration:
    'the report begins in an hour before the one in which the device was registered',
  after_disconnect: 'the device was disconnected before the report began',
  after_deletion: 'the device was deleted before the report began',
  cut_off_meanwhile: 'the device was cut off while the report was measured',
});

/** What a report consists of: a malformed one is told by the first that cannot be read. */
const FIELDS = [
  'report_id',
  'node_id',
  'bytes_up',
  'bytes_down',
  'category',
  'from',
  'to',
] as const;

/** Those of reports that could not be read included: one for each field, and one for all else. */
export const REASON_CODES: readonly string[] = [
  ...Object.keys(REFUSAL_REASONS.texts),
  ...FIELDS.map((field) => `malformed_${field}`),
  'malformed',
];

function readMalformed(reason: string): CodedMessage {
  const [first] = reason.split(' ', 1);
  const field = FIELDS.find((name) => name === first);
  return { code: field === undefined ? 'malformed' : `malformed_${field}`, values: {} };
}

/** The code behind a reason, as it was stored with the refusal. */
export function readRefusalReason(refusal: string, reason: string): CodedMessage | undefined {
  return refusal === 'invalid_parameter' ? readMalformed(reason) : REFUSAL_REASONS.read(reason);
}
