/** Why a traffic report does not count. */
import { type CodedMessage, createMessages } from '../lib/coded-messages.ts';
import { cleanText } from '../lib/display-text.ts';

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
  malformed_report_id: '{problem}',
  malformed_node_id: '{problem}',
  malformed_bytes_up: '{problem}',
  malformed_bytes_down: '{problem}',
  malformed_category: '{problem}',
  malformed_from: '{problem}',
  malformed_to: '{problem}',
  malformed: '{problem}',
});

/** Longest description of a malformed report that is stored. */
const PROBLEM_MAX = 300;

/** The reason of a report that cannot be read, by the first field that is wrong. */
export function describeMalformed(field: string | undefined, problem: string): CodedMessage {
  const code = `malformed_${field}`;
  return {
    code: Object.hasOwn(REFUSAL_REASONS.texts, code) ? code : 'malformed',
    values: { problem: cleanText(problem, PROBLEM_MAX) },
  };
}
