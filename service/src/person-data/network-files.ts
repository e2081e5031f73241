/** Devices, community and rewards. */
import { exact, fileOf } from './person-file.ts';

const ofDevices = (alias: string): string =>
  `${alias}.device_id = any(array(select id from device where user_id = :user_id))`;
const OF_DEVICES = ofDevices('t');
const also = ['device'] as const;
const CONTENT = 'how the service recognises a repeated report';

export const NETWORK_FILES = [
  fileOf('device', {
    name: 'devices',
    description: 'Devices, also deleted ones.',
    keys: ['t.node_id'],
  }),
  fileOf('device_presence', {
    description: 'When and from where a device was last heard.',
    also,
    where: OF_DEVICES,
    keys: ['t.device_id'],
  }),
  fileOf('device_hour', {
    description: 'Online time and traffic of a device by hour.',
    also,
    where: OF_DEVICES,
    keys: ['t.device_id', 't.hour'],
    shown: exact('bytes_up', 'bytes_down'),
  }),
  fileOf('traffic_hour', {
    description: 'Traffic of a device by hour and category.',
    also: ['device', 'device_hour'],
    from: 'device_hour h join traffic_hour t on t.hour = h.hour and t.device_id = h.device_id',
    where: ofDevices('h'),
    keys: ['h.device_id', 'h.hour', 't.category'],
    shown: exact('bytes'),
  }),
  fileOf('device_usage', {
    description: 'Total traffic of a device.',
    also,
    where: OF_DEVICES,
    keys: ['t.device_id'],
    shown: exact('bytes_up', 'bytes_down'),
  }),
  fileOf('device_gap', {
    description: 'Times in which a device was revoked.',
    also,
    where: OF_DEVICES,
    keys: ['t.device_id', 't.from_at'],
  }),
  fileOf('live_connection', {
    description: 'Live connections of devices now.',
    keys: ['t.device_id'],
  }),
  fileOf('traffic_report', {
    description: 'What relays reported about the devices.',
    also,
    where: OF_DEVICES,
    keys: ['t.device_id', 't.from_at', 't.id'],
    omitted: { content_hash: CONTENT },
    shown: exact('bytes_up', 'bytes_down'),
  }),
  fileOf('refused_report', {
    description: 'Reports about the devices that were refused.',
    also,
    where: OF_DEVICES,
    keys: ['t.device_id', 't.id'],
    omitted: { content_hash: CONTENT },
    shown: exact('bytes'),
  }),
  fileOf('community_member', {
    description: 'The place in the referral tree.',
    keys: ['t.user_id'],
  }),
  fileOf('community_stats', {
    description: 'Figures of the downline; its purchases in minor units of the reward currency.',
    keys: ['t.user_id'],
    shown: exact('downline_amount'),
  }),
  fileOf('community_purchase_total', {
    description: 'Own purchases net of refunds, in minor units of the reward currency.',
    keys: ['t.user_id'],
    shown: exact('amount'),
  }),
  fileOf('community_note', {
    name: 'note_of_referrer',
    description: 'The note that the referrer made.',
    keys: ['t.user_id'],
  }),
  fileOf('community_note', {
    name: 'notes',
    description: 'Notes made on direct referrals.',
    also: ['community_member'],
    from: 'community_member m join community_note t on t.user_id = m.user_id',
    where: 'm.referrer_id = :user_id',
    keys: ['m.direct_no'],
  }),
  fileOf('reward_user', {
    description: 'Whether referrers earn from the devices.',
    keys: ['t.user_id'],
    omitted: { released_by: 'personal data of an operator' },
    shown: exact('uptime_ms'),
  }),
  fileOf('referral_eligibility', {
    description: 'Since when referrers earn.',
    keys: ['t.level'],
  }),
  fileOf('reward_line', {
    name: 'rewards',
    description: 'Lines of settlements, in minor units of the reward currency.',
    keys: ['t.hour', 't.batch_id', 't.leaf'],
    shown: exact('quantity', 'rate', 'settled_before', 'amount'),
  }),
] as const;
